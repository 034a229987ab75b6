import { sale as words } from '../../../words/en/payments.ts'
import { formatAmount, formatUsd } from '../../locale.ts'
import { Address } from '../address.tsx'
import { Tag } from '../parts.tsx'
import { labelMethod } from '../payment-methods.ts'
import { Time } from '../time.tsx'
import { describeState, formatRefundedUsd, type Sale } from './sale.ts'

export function SaleRow({
  sale,
  side,
  onOpen,
}: {
  readonly sale: Sale
  readonly side: 'sold' | 'bought'
  onOpen(): void
}) {
  const { gateName, walletAddress, fulfilledAt, payment } = sale
  const { kind, word } = describeState(sale)
  const refunded = payment ? formatRefundedUsd(payment) : undefined
  return (
    <div class="sale">
      <button type="button" class="sale-name" onClick={onOpen}>
        <bdi>{gateName}</bdi>
      </button>
      <span class="sale-price">
        {payment ? formatUsd(payment.amountUsd) : words.free}
        {payment && <span class="quiet"> {labelMethod(payment.method)}</span>}
        {refunded !== undefined && <span class="quiet sale-refunded">{words.refunded(formatAmount(refunded))}</span>}
      </span>
      <span class="sale-state">
        <Tag kind={kind}>{word}</Tag>
      </span>
      <span class="sale-who">
        {side === 'sold' ? words.to : words.as}
        <Address value={walletAddress} />
      </span>
      <span class="sale-time">
        <Time at={fulfilledAt} />
      </span>
    </div>
  )
}
