/** Payments that bought nothing: what arrived, why, and what becomes of the money. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatMoment } from '../../locale.ts'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { useAction, useLoad } from '../load.ts'
import { model } from '../model.ts'
import { Address, Copy, Empty, Link, Tag, Waiting } from '../parts.tsx'
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
      <UnmatchedList
        side="received"
        title="At your gates"
        empty="Every payment at your gates bought what it was made for."
      />
      <UnmatchedList side="paid" title="By your wallets" empty="Every payment of yours bought what it was made for." />
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
        <Empty title="Nothing here">
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
          Show more
        </button>
      )}
      <Problem error={more.error} />
    </section>
  )
}

const reasons: Readonly<Record<string, string>> = {
  GATE_SOLD_OUT: 'The last one was given out before it arrived.',
  GATE_LIMIT_REACHED: 'The wallet had had its share before it arrived.',
  GATE_ENDED: 'The gate was over when it arrived.',
  GATE_NOT_FOUND: 'The gate was paused or deleted when it arrived.',
  PROOF_NOT_VERIFIED: 'The proof was revoked or had expired when it arrived.',
  PROOF_NOT_FOUND: 'The proof was erased before it arrived.',
  AMOUNT_TOO_LOW: 'It was less than the price.',
  RECIPIENT_CHANGED: 'It went to the recipient that the gate named before.',
  PAYMENT_TOO_OLD: 'It was offered too late to say what it was for.',
  GATE_FREE: 'The gate cost nothing any more when it was offered.',
  GATE_NOT_STARTED: 'The gate had not started when it was offered.',
  GATE_REQUIREMENTS_NOT_MET: 'The wallet had not proved what the gate asks for.',
  QUOTE_ENDED: 'It arrived after the price and the place that were kept for it had ended.',
  ALREADY_FULFILLED: 'Another payment for the same proof was there before.',
}

const states: Readonly<Record<Unmatched['state'], { readonly kind: 'good' | 'info' | 'bad'; readonly word: string }>> =
  {
    owed: { kind: 'bad', word: 'owed' },
    refunding: { kind: 'info', word: 'being refunded' },
    refunded: { kind: 'good', word: 'refunded' },
    used: { kind: 'good', word: 'used' },
  }

function describeNextStep({ state, givenBackBy, usableBy = [], onChain }: Unmatched, side: Side): string {
  if (state === 'refunding') return 'This server is giving it back to the card.'
  if (givenBackBy === 'seller')
    return side === 'received'
      ? 'You said that you gave it back. Nobody can use it any more.'
      : 'It was given back by the seller, as the seller says. It can no longer be used.'
  if (state === 'refunded') return 'It was given back to the card.'
  if (state === 'used') return 'It bought something at a gate of the same seller after all.'
  if (onChain === false)
    return side === 'received'
      ? 'A reorganization of the chain took it back: you do not have it now, so do not send it back. It is looked for.'
      : 'A reorganization of the chain took it back: it is looked for, and nobody can use it until it is mined again.'
  if (usableBy.length === 0)
    return side === 'received'
      ? 'The money is with you, and nobody can use it here: give it back, and say so here first.'
      : 'The seller has it: ask the seller for it.'
  const isQuoted = usableBy.includes('buyer')
  return side === 'received'
    ? `The money is with you. ${isQuoted ? 'Its payer, or the buyer whose quote it paid,' : 'Its payer'} can use it for any gate of yours that costs no more, until you say here that you give it back: say so before you send it.`
    : `The seller has it. ${isQuoted ? 'Use it, before the wallet that paid does,' : 'Use it with the wallet that paid'} for any gate of the same seller that costs no more: give this transaction there. Or ask the seller for it.`
}

function RefundRequest({ identity, onAsked }: { readonly identity: string; onAsked(): void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class="button secondary small" onClick={() => setAsking(true)}>
        I am sending it back
      </button>
      {isAsking && (
        <Confirm
          title="Do you give it back?"
          yes="Mark it as given back"
          onYes={() => callApi('POST', '/api/v1/profile/payments/unmatched/returned', { body: { identity } })}
          onClose={() => {
            setAsking(false)
            // A refusal too tells of a row that has changed.
            onAsked()
          }}
        >
          <p>
            Press this before you send it: until then the payer can use it for another gate of yours, and you would lose
            it twice. If it is refused, do not send it.
          </p>
          <p>The payer sees that you gave it back. This server does not check it, and it cannot be undone.</p>
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
  const { kind, word } = states[state]
  const reference = transactionHash ?? identity
  return (
    <article>
      <p>
        <Tag kind={kind}>{word}</Tag> {reasons[reason] ?? reason} {describeNextStep(row, side)}
      </p>
      <dl class="facts">
        <div>
          <dt>Gate</dt>
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
          <dt>Paid</dt>
          <dd>
            {amountUsd ?? '?'} USD by {labelMethod(method).toLowerCase()}, {formatMoment(paidAt ?? createdAt)}
          </dd>
        </div>
        {payer && (
          <div>
            <dt>From</dt>
            <dd>
              <Address value={payer} whole />
            </dd>
          </div>
        )}
        <div>
          <dt>{transactionHash ? 'Transaction' : 'Reference'}</dt>
          <dd>
            <Address value={reference} whole /> <Copy text={reference} className="link" />
          </dd>
        </div>
        {back && (
          <div>
            <dt>Sent back by</dt>
            <dd>
              <Address value={back} whole /> <Copy text={back} className="link" />
            </dd>
          </div>
        )}
      </dl>
      {children}
    </article>
  )
}
