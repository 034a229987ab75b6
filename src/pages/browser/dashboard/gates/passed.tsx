/** Who passed a gate, and how many by day. */
import { gates as words } from '../../../words/en/gates.ts'
import { formatCount } from '../../locale.ts'
import { useLoad } from '../load.ts'
import { SaleList } from '../payments/sale-list.tsx'
import type { OwnGate } from './definition.ts'
import { GateTotals } from './gate-totals.tsx'

export function Passed({ gate: { gateId, definition } }: { readonly gate: OwnGate }) {
  const gatePath = `/api/v1/profile/gates/${encodeURIComponent(gateId)}`
  const path = `${gatePath}/fulfillments`
  const loaded = useLoad<{ readonly data: { readonly totalCount: number } }>(`${path}?limit=1`)
  const total = loaded.data?.data.totalCount
  return (
    <section aria-labelledby="passed-title">
      <h2 class="bench-title" id="passed-title">
        {words.passed.title}
      </h2>
      {total !== undefined && total > 0 && (
        <p class="quiet">{words.passed.count(total, formatCount(total), definition.price !== undefined)}</p>
      )}
      {total !== undefined && total > 0 && <GateTotals path={`${gatePath}/totals`} />}
      <SaleList
        path={path}
        list="fulfillments"
        side="sold"
        label={words.passed.title}
        empty={<p class="quiet">{words.passed.none}</p>}
      />
    </section>
  )
}
