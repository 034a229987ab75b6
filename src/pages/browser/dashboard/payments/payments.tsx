/** Payments and what was handed out for them: at the gates of the person, and to the person. */

import { payments as words } from '../../../words/en/payments.ts'
import { formatCount, formatUsd } from '../../locale.ts'
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
  { id: 'received', label: words.tabs.received },
  { id: 'bought', label: words.tabs.bought },
  { id: 'paid', label: words.tabs.paid },
  { id: 'unmatched', label: words.tabs.unmatched },
] as const

export function Payments() {
  const tab = useTab(tabs)
  return (
    <>
      <Heading title={words.title} lead={words.lead} />
      <Tabs tabs={tabs} current={tab} label={words.title}>
        {tab === 'received' && <Received />}
        {tab === 'unmatched' && <UnmatchedPayments />}
        {tab === 'bought' && (
          <SaleList
            path="/api/v1/profile/fulfillments"
            list="fulfillments"
            side="bought"
            label={words.tabs.bought}
            empty={
              <Empty
                title={words.nothingBought}
                command={`${model.authUrl}/verify?gateId=`}
                commandLabel={words.copyAddress}
              >
                <p>{words.boughtHere}</p>
              </Empty>
            }
          />
        )}
        {tab === 'paid' && (
          <SaleList
            path={`${paymentsPath}?side=paid`}
            list="payments"
            side="bought"
            label={words.tabs.paid}
            empty={
              <Empty title={words.nothingPaid}>
                <p>{words.paidHere}</p>
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
            <dt>{words.received}</dt>
            <dd>{formatUsd(totals.amountUsd)}</dd>
          </div>
          <div>
            <dt>{words.paymentCount}</dt>
            <dd>{formatCount(totals.paid)}</dd>
          </div>
          <div>
            <dt>{words.passCount}</dt>
            <dd>{formatCount(totals.fulfilled)}</dd>
          </div>
        </dl>
      )}
      <SaleList
        path={paymentsPath}
        list="payments"
        side="sold"
        label={words.list}
        empty={
          <Empty title={words.nothingReceived} command={`curl ${model.baseUrl}/api/v1/payments/methods`}>
            <p>{words.receivedHere(<Link to="/gates/new">{words.build}</Link>)}</p>
          </Empty>
        }
      />
    </>
  )
}
