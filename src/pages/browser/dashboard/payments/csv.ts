/** Sales as a file for spreadsheets. */
import { formatRefundedUsd, type Sale, stateOf } from './sale.ts'

const columns: readonly (readonly [string, (sale: Sale) => string | number | null | undefined])[] = [
  ['time', ({ fulfilledAt }) => new Date(fulfilledAt).toISOString()],
  ['gateId', ({ gateId }) => gateId],
  ['gateName', ({ gateName }) => gateName],
  ['version', ({ version }) => version],
  ['wallet', ({ walletAddress }) => walletAddress],
  ['state', (sale) => stateOf(sale).word],
  ['amountUsd', ({ payment }) => payment?.amountUsd],
  ['method', ({ payment }) => payment?.method],
  ['reference', ({ payment }) => payment?.reference],
  ['payer', ({ payment }) => payment?.payer],
  ['paidAt', ({ payment }) => (payment?.paidAt == null ? null : new Date(payment.paidAt).toISOString())],
  ['receiptId', ({ receiptId }) => receiptId],
  ['refundedUsd', ({ payment }) => payment && formatRefundedUsd(payment)],
]

/** RFC 4180, with a comma between cells, which not every spreadsheet takes for the only separator. */
export const csvOf = (sales: readonly Sale[]): string =>
  [columns.map(([name]) => name), ...sales.map((sale) => columns.map(([, value]) => cellOf(value(sale))))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

/**
 * A spreadsheet would run what begins like a formula, and names of gates are chosen by strangers. In German and French
 * settings cells are divided by semicolons, and elsewhere by tabs: then quotes within a line say nothing, and a cell
 * begins after each of those and in each line.
 */
function cellOf(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const safe = text.replace(/^(?=[=+\-@\t\r])|(?<=[;\t\r\n][ "]*)(?=[=+\-@])/g, "'")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
