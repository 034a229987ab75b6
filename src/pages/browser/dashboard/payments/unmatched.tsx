/** Payments that bought nothing: what arrived, why, and what becomes of the money. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { unmatched as words } from '../../../words/en/payments.ts'
import { formatMoment, formatUsd } from '../../locale.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { useAction, useLoad } from '../load.ts'
import { model } from '../model.ts'
import { Empty, Link, Tag, Waiting } from '../parts.tsx'
import { labelMethod } from '../payment-methods.ts'
import { Problem } from '../problem.tsx'

interface Unmatched {
  readonly gateId: string
  readonly gateName: string
  readonly walletAddress: string | null
  readonly identity: string
  readonly method: string
  readonly state: 'owed' | 'refunding' | 'refunded' | 'used'
  readonly reason: string
  readonly payer: string | null
  readonly amountUsd: string | null
  readonly transactionHash: string | null
  readonly usableBy?: readonly ('payer' | 'buyer')[]
  readonly onChain?: boolean
  readonly givenBackBy?: 'server' | 'seller'
  readonly returnTransactionHash: string | null
  readonly paidAt: number | null
  readonly createdAt: number
}

interface Answer {
  readonly data: { readonly payments: readonly Unmatched[]; readonly nextCursor: string | null }
}

type Side = 'received' | 'paid'

export function UnmatchedPayments() {
  return (
    <>
      <UnmatchedList side="received" title={words.atGates} empty={words.allBought} />
      <UnmatchedList side="paid" title={words.byWallets} empty={words.allUsed} />
    </>
  )
}

function UnmatchedList({
  side,
  title,
  empty,
}: {
  readonly side: Side
  readonly title: string
  readonly empty: string
}) {
  const path = `/api/v1/profile/payments/unmatched?side=${side}`
  const loaded = useLoad<Answer>(path)
  const [further, setFurther] = useState<Answer['data']>()
  const rows = [...(loaded.data?.data.payments ?? []), ...(further?.payments ?? [])]
  const next = further ? further.nextCursor : loaded.data?.data.nextCursor
  const more = useAction(async () => {
    const { data } = await callApi<Answer>('GET', path, { query: { cursor: String(next) } })
    setFurther((before) => ({ ...data, payments: [...(before?.payments ?? []), ...data.payments] }))
  })
  return (
    <section>
      <h2>{title}</h2>
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      {loaded.isLoading && !loaded.data && <Waiting />}
      {loaded.data && rows.length === 0 && (
        <Empty title={words.none}>
          <p>{empty}</p>
        </Empty>
      )}
      {rows.map((row) => (
        <UnmatchedFacts key={row.identity} row={row} side={side}>
          {side === 'received' && row.state === 'owed' && row.onChain !== false && (
            <RefundRequest
              identity={row.identity}
              onAsked={() => {
                setFurther(undefined)
                void loaded.reload()
              }}
            />
          )}
        </UnmatchedFacts>
      ))}
      {typeof next === 'string' && (
        <button type="button" class="button" aria-disabled={more.isBusy} onClick={() => void more.run()}>
          {words.more}
        </button>
      )}
      <Problem error={more.error} />
    </section>
  )
}

/** A code that this page does not know is shown as it is. */
const describeReason = (code: string): string =>
  Object.hasOwn(words.reasons, code) ? words.reasons[code as keyof typeof words.reasons] : code

const kinds: Readonly<Record<Unmatched['state'], 'good' | 'info' | 'bad'>> = {
  owed: 'bad',
  refunding: 'info',
  refunded: 'good',
  used: 'good',
}

function describeNextStep({ state, givenBackBy, usableBy = [], onChain }: Unmatched, side: Side): string {
  const isReceived = side === 'received'
  if (state === 'refunding') return words.refunding
  if (givenBackBy === 'seller') return isReceived ? words.youGaveBack : words.sellerGaveBack
  if (state === 'refunded') return words.refunded
  if (state === 'used') return words.used
  if (onChain === false) return isReceived ? words.goneFromYou : words.goneFromSeller
  if (usableBy.length === 0) return isReceived ? words.withYou : words.withSeller
  const isQuoted = usableBy.includes('buyer')
  return isReceived ? words.payerMayUse(isQuoted) : words.youMayUse(isQuoted)
}

function RefundRequest({ identity, onAsked }: { readonly identity: string; onAsked(): void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class="button secondary small" onClick={() => setAsking(true)}>
        {words.sendBack}
      </button>
      {isAsking && (
        <Confirm
          title={words.sendBackTitle}
          yes={words.sendBackYes}
          onYes={() => callApi('POST', '/api/v1/profile/payments/unmatched/returned', { body: { identity } })}
          onClose={() => {
            setAsking(false)
            // A refusal too tells of a row that has changed.
            onAsked()
          }}
        >
          <p>{words.sendBackFirst}</p>
          <p>{words.sendBackEffect}</p>
        </Confirm>
      )}
    </>
  )
}

function UnmatchedFacts({
  row,
  side,
  children,
}: {
  readonly row: Unmatched
  readonly side: Side
  readonly children: ComponentChildren
}) {
  const { gateId, gateName, state, reason, payer, amountUsd, method, transactionHash, identity, paidAt, createdAt } =
    row
  const back = row.returnTransactionHash
  const reference = transactionHash ?? identity
  return (
    <article>
      <p>
        <Tag kind={kinds[state]}>{words.states[state]}</Tag> {describeReason(reason)} {describeNextStep(row, side)}
      </p>
      <dl class="facts">
        <div>
          <dt>{words.gate}</dt>
          <dd>
            {side === 'received' ? (
              <Link to={`/gates/${gateId}`}>
                <bdi>{gateName}</bdi>
              </Link>
            ) : (
              <a href={`${model.authUrl}/verify?gateId=${encodeURIComponent(gateId)}`}>
                <bdi>{gateName}</bdi>
              </a>
            )}
          </dd>
        </div>
        <div>
          <dt>{words.paid}</dt>
          <dd>{[formatUsd(amountUsd), labelMethod(method), formatMoment(paidAt ?? createdAt)].join(' · ')}</dd>
        </div>
        {payer && (
          <div>
            <dt>{words.from}</dt>
            <dd>
              <Address value={payer} whole canLabel />
            </dd>
          </div>
        )}
        <div>
          <dt>{transactionHash ? words.transaction : words.reference}</dt>
          <dd>
            <Address value={reference} whole />
          </dd>
        </div>
        {back && (
          <div>
            <dt>{words.sentBackBy}</dt>
            <dd>
              <Address value={back} whole />
            </dd>
          </div>
        )}
      </dl>
      {children}
    </article>
  )
}
