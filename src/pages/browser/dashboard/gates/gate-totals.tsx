/** Passes and sales of a gate in a period: what it took in each currency, and a chart by hour or day. */
import { gates } from '../../../words/en/gates.ts'
import { formatAmount, formatCount } from '../../locale.ts'
import { Chart, type Series } from '../chart.tsx'
import { useLoad } from '../load.ts'
import { Waiting } from '../parts.tsx'
import { labelMethod } from '../payment-methods.ts'
import { Problem } from '../problem.tsx'
import { RangeChoice } from '../range-choice.tsx'
import { adjust, useRoute } from '../route.ts'

const { totals: words } = gates

interface Received {
  readonly method: string
  readonly token: string | null
  readonly symbol: string | null
  readonly decimals: number | null
  readonly sales: number
  readonly amount: string
}

interface Totals {
  readonly data: {
    readonly firstAt: number
    readonly stepMs: number
    readonly passes: readonly number[]
    readonly sales: readonly number[]
    readonly totals: { readonly passes: number; readonly sales: number; readonly received: readonly Received[] }
    readonly complete: boolean
  }
}

type Range = keyof typeof words.ranges
const ranges = Object.keys(words.ranges) as Range[]
const firstRange: Range = '30d'

export function GateTotals({ path }: { readonly path: string }) {
  const asked = useRoute().query.get('range')
  const range = ranges.find((one) => one === asked) ?? firstRange
  const loaded = useLoad<Totals>(`${path}?range=${range}`)
  const data = loaded.data?.data
  return (
    <>
      <RangeChoice label={words.range} titles={words.ranges} value={range} onChange={(one) => adjust({ range: one })} />
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      {!data && loaded.error === undefined && <Waiting what={words.loading} retry={() => void loaded.reload()} />}
      {data && data.totals.passes === 0 && <p class="quiet">{words.none}</p>}
      {data && data.totals.passes > 0 && <Period of={data} />}
    </>
  )
}

function Period({ of: { totals, complete, firstAt, stepMs, passes, sales } }: { readonly of: Totals['data'] }) {
  const series: Series[] =
    totals.sales === 0
      ? [{ label: words.passes, counts: passes }]
      : [
          { label: words.paid, counts: sales },
          { label: words.free, counts: passes.map((count, at) => count - sales[at]!) },
        ]
  return (
    <>
      {totals.sales > 0 && (
        <dl class="totals">
          {totals.received.map((one) => (
            <div key={`${one.method} ${one.token}`}>
              <dt>{words.received(labelMethod(one.method), one.sales, formatCount(one.sales))}</dt>
              <dd>{writeReceived(one)}</dd>
            </div>
          ))}
        </dl>
      )}
      {!complete && <p class="quiet">{words.incomplete(formatCount(totals.passes))}</p>}
      <div class="charts">
        <Chart title={words.title} firstAt={firstAt} stepMs={stepMs} series={series} />
      </div>
    </>
  )
}

/** A token without settings here has unknown decimals. */
function writeReceived({ amount, symbol, decimals }: Received): string {
  if (symbol === null || decimals === null) return words.unknownToken
  const padded = amount.padStart(decimals + 1, '0')
  const at = padded.length - decimals
  const whole = padded.slice(0, at)
  const fraction = padded.slice(at).replace(/0+$/, '').padEnd(Math.min(2, decimals), '0')
  return `${formatAmount(fraction === '' ? whole : `${whole}.${fraction}`)} ${symbol}`
}
