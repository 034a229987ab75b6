/** One delivery: its gate, its buyer, and a link to it. */

import { useState } from 'preact/hooks'
import { parseTransaction } from '../../../../payments/transaction.ts'
import { parseWebUrl } from '../../../../web-url.ts'
import { describeChain } from '../../../chain-words.ts'
import { sale as words } from '../../../words/en/payments.ts'
import { formatAmount, formatMoment, formatUsd } from '../../locale.ts'
import { Address, Copyable } from '../address.tsx'
import { callApi } from '../api.ts'
import { Dialog } from '../dialog.tsx'
import { useAction } from '../load.ts'
import { model, root } from '../model.ts'
import { Command, Link, Tag } from '../parts.tsx'
import { labelMethod } from '../payment-methods.ts'
import { Problem } from '../problem.tsx'
import { buildExplorerLink, describeState, formatRefundedUsd, type Payment, type Sale } from './sale.ts'

interface Delivery {
  readonly delivery: 'access_granted' | 'redirect' | 'download' | 'reveal'
  readonly value: string | null
  readonly label?: string
  readonly message?: string
}

interface Fulfilled {
  readonly data: { readonly fulfillment: Delivery; readonly rewardPack: readonly Delivery[] }
}

export function SaleDetails({
  sale,
  side,
  onClose,
}: {
  readonly sale: Sale
  readonly side: 'sold' | 'bought'
  onClose(): void
}) {
  const { gateId, gateName, version, walletAddress, fulfilledAt, payment, receiptNumber, qHash, state } = sale
  const { kind, word, sentence } = describeState(sale)
  return (
    <Dialog title={<bdi>{gateName}</bdi>} wide onClose={onClose}>
      <p>
        <Tag kind={kind}>{word}</Tag> {sentence}
      </p>
      <dl class="facts">
        <Fact name={words.gate}>
          <Copyable text={gateId}>{side === 'sold' && <Link to={`/gates/${gateId}`}>{gateId}</Link>}</Copyable>
          {words.version(version)}
        </Fact>
        <Fact name={side === 'sold' ? words.givenTo : words.byWallet}>
          <Address value={walletAddress} whole canLabel />
        </Fact>
        <Fact name={words.when}>{formatMoment(fulfilledAt)}</Fact>
        {payment && <PaymentFacts payment={payment} />}
        <Fact name={payment ? words.receipt : words.confirmation}>
          <a href={new URL(`receipts/${receiptNumber}`, root).href} target="_blank" rel="noreferrer">
            {payment ? words.openReceipt : words.openConfirmation}
          </a>
        </Fact>
      </dl>
      {side === 'bought' && qHash && state === 'granted' && <Rewards gateId={gateId} qHash={qHash} />}
    </Dialog>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function PaymentFacts({ payment }: { readonly payment: Payment }) {
  const { method, amountUsd, reference, payer, paidAt } = payment
  const refunded = formatRefundedUsd(payment)
  const transaction = parseTransaction(reference)
  const explorer = transaction && buildExplorerLink(transaction, model.explorers)
  return (
    <>
      <Fact name={words.paid}>
        {[formatUsd(amountUsd), labelMethod(method), ...(paidAt === null ? [] : [formatMoment(paidAt)])].join(' · ')}
      </Fact>
      {refunded !== undefined && <Fact name={words.refundedName}>{formatAmount(refunded)} USD</Fact>}
      {payer && (
        <Fact name={words.from}>
          <Address value={payer} whole canLabel />
        </Fact>
      )}
      <Fact
        name={transaction ? words.transactionOn(describeChain(transaction.chain, model.chainNames)) : words.reference}
      >
        <Address value={transaction?.hash ?? reference} whole />{' '}
        {explorer && (
          <a href={explorer} target="_blank" rel="noreferrer">
            {words.openExplorer}
          </a>
        )}
      </Fact>
    </>
  )
}

function RewardValue({ value, delivery }: { readonly value: string; readonly delivery: string }) {
  // Older gates may hold an address that a browser would repair into another one.
  const address = delivery === 'reveal' ? undefined : parseWebUrl(value)
  if (address === undefined) return <Command text={value} />
  return (
    <p>
      <a href={address.href} target="_blank" rel="noreferrer">
        {value}
      </a>
    </p>
  )
}

/** The rewards that were bought, shown again: they stay the buyer's. */
function Rewards({ gateId, qHash }: { readonly gateId: string; readonly qHash: string }) {
  const [rewards, setRewards] = useState<readonly Delivery[]>()
  const ask = useAction(async () => {
    const path = `/api/v1/profile/gates/${encodeURIComponent(gateId)}/fulfill`
    const { data } = await callApi<Fulfilled>('POST', path, { body: { qHash } })
    setRewards([data.fulfillment, ...data.rewardPack])
  })
  return (
    <>
      <Problem error={ask.error} />
      {rewards === undefined ? (
        <button type="button" class="button" aria-disabled={ask.isBusy} onClick={() => void ask.run()}>
          {words.showRewards}
        </button>
      ) : (
        rewards.map((reward, at) => (
          <div key={at}>
            <h3>
              <bdi>{reward.label ?? words.reward}</bdi>
            </h3>
            {reward.message && (
              <p>
                <bdi>{reward.message}</bdi>
              </p>
            )}
            {reward.value === null && <p>{words.onlyAccess}</p>}
            {reward.value !== null && <RewardValue value={reward.value} delivery={reward.delivery} />}
          </div>
        ))
      )}
    </>
  )
}
