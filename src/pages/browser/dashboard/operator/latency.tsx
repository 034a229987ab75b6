/** Shows response times: a row for each part of the server, with its spread drawn on a logarithmic scale. */
import { useState } from 'preact/hooks'
import { latency as words } from '../../../words/en/operator.ts'
import { RangeChoice } from '../range-choice.tsx'
import { TableFrame } from '../table-frame.tsx'
import { count, formatMilliseconds, share } from './amounts.ts'
import type { Counts, Latency as Row } from './answers.ts'

const width = 160
const middle = 11
/** The scale begins at a tenth of a millisecond and ends at ten seconds. */
const [first, last] = [-1, 4]
const computePosition = (ms: number): number =>
  6 + ((Math.min(last, Math.max(first, Math.log10(ms))) - first) / (last - first)) * (width - 12)

export function Latency({ of: { hour, day } }: { readonly of: Counts['latency'] }) {
  const [span, setSpan] = useState<'hour' | 'day'>('hour')
  const rows = span === 'hour' ? hour : day
  return (
    <section aria-labelledby="latency">
      <header class="section-head">
        <h2 id="latency">{words.title}</h2>
        <RangeChoice label={words.range} titles={words.ranges} value={span} onChange={(one) => setSpan(one)} />
      </header>
      {rows.length === 0 ? (
        <p class="quiet">{words.none[span]}</p>
      ) : (
        <TableFrame label={words.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.part}</th>
                <th scope="col" class="number">
                  {words.requests}
                </th>
                <th scope="col" class="number">
                  {words.half}
                </th>
                <th scope="col" class="number">
                  {words.most(share(95, 100))}
                </th>
                <th scope="col" class="number">
                  {words.most(share(99, 100))}
                </th>
                <td aria-hidden="true">
                  <div class="spread-head">
                    <span>{formatMilliseconds(0.1)}</span>
                    <span>{formatMilliseconds(10_000)}</span>
                  </div>
                </td>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.surface}>
                  <th scope="row">{words.surfaces[row.surface] ?? row.label}</th>
                  <td class="number">{count(row.count)}</td>
                  <td class="number">{formatMilliseconds(row.p50)}</td>
                  <td class="number">{formatMilliseconds(row.p95)}</td>
                  <td class="number">{formatMilliseconds(row.p99)}</td>
                  <td aria-hidden="true">
                    <Spread of={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      <p class="quiet">{words.hint}</p>
    </section>
  )
}

/** A disc at the median, a bar at the 95th percentile, a ring at the 99th. */
const Spread = ({ of: { p50, p95, p99 } }: { readonly of: Row }) => (
  <svg class="spread" aria-hidden="true" width={width} height={2 * middle} viewBox={`0 0 ${width} ${2 * middle}`}>
    <line class="chart-line" x1="0" x2={width} y1={middle} y2={middle} />
    <line class="spread-line" x1={computePosition(p50)} x2={computePosition(p99)} y1={middle} y2={middle} />
    <circle class="spread-half" cx={computePosition(p50)} cy={middle} r="5" />
    <rect class="spread-most" x={computePosition(p95) - 1.5} y={middle - 7} width="3" height="14" />
    <circle class="spread-all" cx={computePosition(p99)} cy={middle} r="4" />
  </svg>
)
