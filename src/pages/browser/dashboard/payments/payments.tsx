/** Payments and what was handed out for them: at the gates of the person, and to the person. */

import { Tabs, useTab } from '../gates/tabs.tsx'
import { useLoad } from '../load.ts'
import { model } from '../model.ts'
import { Empty, Heading, Link } from '../parts.tsx'
import { SaleList } from './sale-list.tsx'
import { UnmatchedPayments } from './unmatched.tsx'

interface Totals {
  readonly data: {
    readonly totals: { readonly fulfilled: number; readonly paid: number; readonly amountUsd: string } | null
  }
}

const paymentsPath = '/api/v1/profile/payments'
const tabs = [
  { id: 'received', label: 'Received' },
  { id: 'bought', label: 'What I got' },
  { id: 'paid', label: 'What I paid' },
  { id: 'unmatched', label: 'Bought nothing' },
] as const

export function Payments() {
  const tab = useTab(tabs)
  return (
    <>
      <Heading title="Payments" lead="What was paid at your gates, and what you were given at the gates of others." />
      <Tabs tabs={tabs} current={tab} label="Payments">
        {tab === 'received' && <Received />}
        {tab === 'unmatched' && <UnmatchedPayments />}
        {tab === 'bought' && (
          <SaleList
            path="/api/v1/profile/fulfillments"
            list="fulfillments"
            side="bought"
            label="What I got"
            empty={
              <Empty
                title="You have been through no gate yet"
                command={`${model.authUrl}/verify?gateId=`}
                commandLabel="Copy the address"
              >
                <p>What you get at a gate of this server stays here. The address of a gate is this, with its id:</p>
              </Empty>
            }
          />
        )}
        {tab === 'paid' && (
          <SaleList
            path={`${paymentsPath}?side=paid`}
            list="payments"
            side="bought"
            label="What I paid"
            empty={
              <Empty title="You have paid nothing here">
                <p>A payment at a gate of this server is listed here, with its transaction and its receipt.</p>
              </Empty>
            }
          />
        )}
      </Tabs>
    </>
  )
}

function Received() {
  const loaded = useLoad<Totals>(`${paymentsPath}?limit=1`)
  const totals = loaded.data?.data.totals
  return (
    <>
      {totals && totals.fulfilled > 0 && (
        <dl class="totals">
          <div>
            <dt>Received</dt>
            <dd>{totals.amountUsd} USD</dd>
          </div>
          <div>
            <dt>Payments</dt>
            <dd>{totals.paid.toLocaleString('en')}</dd>
          </div>
          <div>
            <dt>Passes, free ones too</dt>
            <dd>{totals.fulfilled.toLocaleString('en')}</dd>
          </div>
        </dl>
      )}
      <SaleList
        path={paymentsPath}
        list="payments"
        side="sold"
        label="Payments received"
        empty={
          <Empty title="Nothing was paid at your gates yet" command={`curl ${model.baseUrl}/api/v1/payments/methods`}>
            <p>
              A gate with a price takes payments as soon as it is published: <Link to="/gates/new">build one</Link>. The
              money goes to you, not through this server. How it can be paid here:
            </p>
          </Empty>
        }
      />
    </>
  )
}
