/** Sales as a file for spreadsheets. */
import { formatRefundedUsd, readSaleState, type Sale } from './sale.ts'

const columns: readonly (readonly [string, (sale: Sale) => string | number | null | undefined])[] = [
  ['time', ({ fulfilledAt }) => new Date(fulfilledAt).toISOString()],
  ['gateId', ({ gateId }) => gateId],
  ['gateName', ({ gateName }) => gateName],
  ['version', ({ version }) => version],
  ['wallet', ({ walletAddress }) => walletAddress],
  ['state', readSaleState],
  ['amountUsd', ({ payment }) => payment?.amountUsd],
  ['method', ({ payment }) => payment?.method],
  ['reference', ({ payment }) => payment?.reference],
  ['payer', ({ payment }) => payment?.payer],
  ['paidAt', ({ payment }) => (payment?.paidAt == null ? null : new Date(payment.paidAt).toISOString())],
  ['receiptId', ({ receiptId }) => receiptId],
  ['refundedUsd', ({ payment }) => payment && formatRefundedUsd(payment)],
]

/** RFC 4180, with commas between cells; some spreadsheets also accept other separators. */
export const writeCsv = (sales: readonly Sale[]): string =>
  [columns.map(([name]) => name), ...sales.map((sale) => columns.map(([, value]) => writeCell(value(sale))))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

/**
 * Guards against formula injection: strangers choose names of gates, and a spreadsheet runs a cell that begins like a
 * formula. Some locales split cells at semicolons or tabs, inside quotes too. So a cell can also begin after each of
 * those, and in each line.
 */
function writeCell(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const safe = text.replace(/^(?=[=+\-@\t\r])|(?<=[;\t\r\n][ "]*)(?=[=+\-@])/g, "'")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
