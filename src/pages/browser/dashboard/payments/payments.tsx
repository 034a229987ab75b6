/** Payments and what was handed out for them: at the gates of the person, and to the person. */

import { findInstants, hasInstants, readDays, writeInstants } from '../../../day-range.ts'
import { payments as words } from '../../../words/en/payments.ts'
import { formatCount, formatUsd } from '../../locale.ts'
import { DayFilter, noDays } from '../day-filter.tsx'
import { Tabs, useTab } from '../gates/tabs.tsx'
import { useLoad } from '../load.ts'
import { model, readNow } from '../model.ts'
import { Empty, Heading, Link } from '../parts.tsx'
import { adjust, useRoute } from '../route.ts'
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
  const { query } = useRoute()
  const days = readDays(query)
  const made = findInstants(days, readNow())
  const isFiltered = hasInstants(made)
  const span = new URLSearchParams(writeInstants(made)).toString()
  return (
    <>
      <Heading title={words.title} lead={words.lead} />
      <Tabs tabs={tabs} current={tab} label={words.title}>
        {tab !== 'unmatched' && (
          <search class="vault-filters">
            <DayFilter days={days} />
          </search>
        )}
        {tab === 'received' && <Received span={span} />}
        {tab === 'unmatched' && <UnmatchedPayments />}
        {tab === 'bought' && (
          <SaleList
            path={`/api/v1/profile/fulfillments?${span}`}
            list="fulfillments"
            side="bought"
            label={words.tabs.bought}
            empty={
              isFiltered ? (
                <NoneInDays />
              ) : (
                <Empty
                  title={words.nothingBought}
                  command={`${model.authUrl}/verify?gateId=`}
                  commandLabel={words.copyAddress}
                >
                  <p>{words.boughtHere}</p>
                </Empty>
              )
            }
          />
        )}
        {tab === 'paid' && (
          <SaleList
            path={`${paymentsPath}?side=paid&${span}`}
            list="payments"
            side="bought"
            label={words.tabs.paid}
            empty={
              isFiltered ? (
                <NoneInDays />
              ) : (
                <Empty title={words.nothingPaid}>
                  <p>{words.paidHere}</p>
                </Empty>
              )
            }
          />
        )}
      </Tabs>
    </>
  )
}

function Received({ span }: { readonly span: string }) {
  const loaded = useLoad<Totals>(`${paymentsPath}?limit=1`)
  const totals = loaded.data?.data.totals
  return (
    <>
      {totals && totals.fulfilled > 0 && span === '' && (
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
        path={`${paymentsPath}?${span}`}
        list="payments"
        side="sold"
        label={words.list}
        empty={
          span !== '' ? (
            <NoneInDays />
          ) : (
            <Empty title={words.nothingReceived} command={`curl ${model.baseUrl}/api/v1/payments/methods`}>
              <p>{words.receivedHere(<Link to="/gates/new">{words.build}</Link>)}</p>
            </Empty>
          )
        }
      />
    </>
  )
}

function NoneInDays() {
  return (
    <Empty title={words.noneInDays}>
      <p>
        <button type="button" class="button secondary small" onClick={() => adjust(noDays)}>
          {words.showAll}
        </button>
      </p>
    </Empty>
  )
}
