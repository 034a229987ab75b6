/** How much this server does, and how fast. */

import { numbers as words } from '../../../words/en/operator.ts'
import { Chart, mostSeries, type Series } from '../chart.tsx'
import { model } from '../model.ts'
import { Empty, Heading } from '../parts.tsx'
import { RangeChoice } from '../range-choice.tsx'
import { adjust, useRoute } from '../route.ts'
import { TableFrame } from '../table-frame.tsx'
import { findWords } from '../verifier-words.ts'
import { count, share } from './amounts.ts'
import type { Counts, GateCounts } from './answers.ts'
import { Loading, useOperator } from './frame.tsx'
import { Latency } from './latency.tsx'

const everyMs = 15_000

type Range = keyof typeof words.ranges
const ranges = Object.keys(words.ranges) as Range[]
const firstRange: Range = '30d'

export function Numbers() {
  const asked = useRoute().query.get('range')
  const range = ranges.find((one) => one === asked) ?? firstRange
  const loaded = useOperator<Counts>(`/numbers?range=${range}`, everyMs)
  return (
    <>
      <Heading title={words.title} lead={words.lead}>
        <RangeChoice
          label={words.range}
          titles={words.ranges}
          value={range}
          onChange={(one) => adjust({ range: one })}
        />
      </Heading>
      <Loading of={loaded} what={words.loading}>
        {(data) => (
          <>
            {isEmpty(data) && (
              <Empty title={words.none} command={`${model.program} demo --url ${model.baseUrl}`}>
                <p>{words.noneLead}</p>
              </Empty>
            )}
            <div class="charts">
              <Chart title={words.proofs} {...steps(data)} series={listVerifierSeries(data)} />
              <Chart
                title={words.checks}
                {...steps(data)}
                series={[
                  { label: words.passed, counts: data.gates.passes },
                  { label: words.refused, counts: data.gates.refusals },
                ]}
              />
              {sum(data.unmatchedPayments) > 0 && (
                <Chart
                  title={words.unmatched}
                  {...steps(data)}
                  series={[{ label: words.payments, counts: data.unmatchedPayments }]}
                />
              )}
              {sum(data.gates.refunds) > 0 && (
                <Chart
                  title={words.refunds}
                  {...steps(data)}
                  series={[{ label: words.refunded, counts: data.gates.refunds }]}
                />
              )}
            </div>
            <TopGates of={data.gates.top} />
            <Latency of={data.latency} />
          </>
        )}
      </Loading>
    </>
  )
}

const steps = ({ firstAt, stepMs }: Counts) => ({ firstAt, stepMs })

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const isEmpty = ({ proofs, gates }: Counts): boolean =>
  sum(proofs.total) + sum(gates.passes) + sum(gates.refusals) + sum(gates.fulfillments) === 0

/** The most frequent ones by themselves, all others together. */
function listVerifierSeries({ proofs: { byVerifier, total } }: Counts): Series[] {
  const named = byVerifier.length > mostSeries ? byVerifier.slice(0, mostSeries - 1) : byVerifier
  const others = byVerifier.slice(named.length)
  const series = named.map(({ verifier, counts }) => ({ label: findWords(verifier).title, counts }))
  if (series.length === 0) return [{ label: words.proofsOnly, counts: total }]
  if (others.length === 0) return series
  return [
    ...series,
    { label: words.others, counts: total.map((_, at) => sum(others.map(({ counts }) => counts[at]!))) },
  ]
}

function TopGates({ of: gates }: { readonly of: readonly GateCounts[] }) {
  if (gates.length === 0) return null
  return (
    <section aria-labelledby="top-gates">
      <h2 id="top-gates">{words.top}</h2>
      <TableFrame label={words.topTable}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.gate}</th>
              <th scope="col" class="number">
                {words.passed}
              </th>
              <th scope="col" class="number">
                {words.refused}
              </th>
              <th scope="col" class="number">
                {words.sharePassed}
              </th>
              <th scope="col" class="number">
                {words.fulfilled}
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
