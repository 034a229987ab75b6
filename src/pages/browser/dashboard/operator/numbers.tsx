/** How much this server does, and how fast. */

import { model } from '../model.ts'
import { Empty, Heading } from '../parts.tsx'
import { findWords } from '../verifier-words.ts'
import { count, share } from './amounts.ts'
import type { Counts, GateCounts } from './answers.ts'
import { Chart, mostSeries, type Series } from './chart.tsx'
import { Loading, useOperator } from './frame.tsx'
import { Latency } from './latency.tsx'
import { TableFrame } from './table-frame.tsx'

const everyMs = 15_000

export function Numbers() {
  const loaded = useOperator<Counts>('/numbers', everyMs)
  return (
    <>
      <Heading title="Numbers" lead="Counted by the day, of the whole server. There is nothing personal in them." />
      <Loading of={loaded} what="Loading the numbers">
        {(data) => (
          <>
            {isEmpty(data) && (
              <Empty title="Nothing was counted yet" command={`${model.program} demo --url ${model.baseUrl}`}>
                <p>The first proof and the first gate check show up here within ten seconds. To make some:</p>
              </Empty>
            )}
            <div class="charts">
              <Chart title="Proofs made, by verifier" firstDay={data.firstDay} series={listVerifierSeries(data)} />
              <Chart
                title="Gate checks"
                firstDay={data.firstDay}
                series={[
                  { label: 'Passed', counts: data.gates.passes },
                  { label: 'Refused', counts: data.gates.refusals },
                ]}
              />
              {sum(data.unmatchedPayments) > 0 && (
                <Chart
                  title="Payments that bought nothing"
                  firstDay={data.firstDay}
                  series={[{ label: 'Payments', counts: data.unmatchedPayments }]}
                />
              )}
              {sum(data.gates.refunds) > 0 && (
                <Chart
                  title="Card payments that were refunded because they bought nothing"
                  firstDay={data.firstDay}
                  series={[{ label: 'Refunded', counts: data.gates.refunds }]}
                />
              )}
            </div>
            <TopGates of={data.gates.top} days={data.gates.topDays} />
            <Latency of={data.latency} />
          </>
        )}
      </Loading>
    </>
  )
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const isEmpty = ({ proofs, gates }: Counts): boolean =>
  sum(proofs.total) + sum(gates.passes) + sum(gates.refusals) + sum(gates.fulfillments) === 0

/** The most frequent ones by themselves, all others together. */
function listVerifierSeries({ proofs: { byVerifier, total } }: Counts): Series[] {
  const named = byVerifier.length > mostSeries ? byVerifier.slice(0, mostSeries - 1) : byVerifier
  const others = byVerifier.slice(named.length)
  const series = named.map(({ verifier, counts }) => ({ label: findWords(verifier).title, counts }))
  if (series.length === 0) return [{ label: 'Proofs', counts: total }]
  if (others.length === 0) return series
  return [
    ...series,
    { label: 'All others', counts: total.map((_, day) => sum(others.map(({ counts }) => counts[day]!))) },
  ]
}

function TopGates({ of: gates, days }: { readonly of: readonly GateCounts[]; readonly days: number }) {
  if (gates.length === 0) return null
  return (
    <section aria-labelledby="top-gates">
      <h2 id="top-gates">Gates with the most checks</h2>
      <TableFrame label="Gates with the most checks, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Gate, the last {days} days</th>
              <th scope="col" class="number">
                Passed
              </th>
              <th scope="col" class="number">
                Refused
              </th>
              <th scope="col" class="number">
                Share passed
              </th>
              <th scope="col" class="number">
                Fulfilled
              </th>
            </tr>
          </thead>
          <tbody>
            {gates.map(({ gateId, passes, refusals, fulfillments }) => (
              <tr key={gateId}>
                <th scope="row" class="address">
                  <bdi>{gateId}</bdi>
                </th>
                <td class="number">{count(passes)}</td>
                <td class="number">{count(refusals)}</td>
                <td class="number">{passes + refusals > 0 ? share(passes, passes + refusals) : '–'}</td>
                <td class="number">{count(fulfillments)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  )
}
