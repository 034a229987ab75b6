/** Lists the people who passed a gate. */
import { useLoad } from '../load.ts'
import { SaleList } from '../payments/sale-list.tsx'

export function Passed({ gateId }: { readonly gateId: string }) {
  const path = `/api/v1/profile/gates/${encodeURIComponent(gateId)}/fulfillments`
  const loaded = useLoad<{ readonly data: { readonly totalCount: number } }>(`${path}?limit=1`)
  const total = loaded.data?.data.totalCount
  return (
    <section aria-labelledby="passed-title">
      <h2 class="bench-title" id="passed-title">
        Who passed
      </h2>
      {total !== undefined && total > 0 && (
        <p class="quiet">{total === 1 ? 'Once' : `${total} times`}, without what was taken back.</p>
      )}
      <SaleList
        path={path}
        list="fulfillments"
        side="sold"
        label="Who passed"
        empty={<p class="quiet">Nobody yet. Share the gate, or try it with a wallet of yours.</p>}
      />
    </section>
  )
}
