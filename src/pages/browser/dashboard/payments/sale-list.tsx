/** Lists deliveries and payments; the list grows as it is scrolled. */

import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { payments as words } from '../../../words/en/payments.ts'
import { formatCount } from '../../locale.ts'
import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { useRepeat } from '../repeat.ts'
import { RowList } from '../row-list.tsx'
import { saveFile } from '../save-file.ts'
import { toast } from '../toast.tsx'
import { writeCsv } from './csv.ts'
import type { Sale } from './sale.ts'
import { SaleDetails } from './sale-details.tsx'
import { SaleRow } from './sale-row.tsx'

interface Answer {
  readonly data: { readonly nextCursor: string | null } & Readonly<Record<string, unknown>>
}

/** A program that needs a longer file can read the pages of the API itself. */
const mostSaved = 10_000

const narrow = matchMedia('(max-width: 47.99rem)')
const chooseHeight = (): number => (narrow.matches ? 124 : 76)

export function SaleList({
  path,
  list,
  side,
  label,
  empty,
}: {
  readonly path: string
  /** The member of the answer that holds the rows. */
  readonly list: 'fulfillments' | 'payments'
  readonly side: 'sold' | 'bought'
  readonly label: string
  readonly empty: ComponentChildren
}) {
  const [state, setState] = useState<{ rows: readonly Sale[]; next?: string | null; error?: unknown }>({ rows: [] })
  const [rowHeight, setRowHeight] = useState(chooseHeight)
  const [open, setOpen] = useState<Sale>()
  const isAsking = useRef(false)

  const more = useCallback(
    async (cursor: string | undefined) => {
      if (isAsking.current) return
      isAsking.current = true
      try {
        const { data } = await callApi<Answer>('GET', path, { query: { limit: 100, ...(cursor ? { cursor } : {}) } })
        const came = data[list] as readonly Sale[]
        setState((before) => ({ rows: cursor ? [...before.rows, ...came] : came, next: data.nextCursor }))
      } catch (error) {
        setState((before) => ({ ...before, error }))
      } finally {
        isAsking.current = false
      }
    },
    [path, list],
  )
  useEffect(() => {
    setState({ rows: [] })
    isAsking.current = false
    void more(undefined)
  }, [more])
  useEffect(() => {
    const measure = () => setRowHeight(chooseHeight())
    narrow.addEventListener('change', measure)
    return () => narrow.removeEventListener('change', measure)
  }, [])

  const { rows, next, error } = state
  useRepeat({ error, again: () => void more(next ?? undefined) })
  const save = useAction(async () => {
    const all = [...rows]
    let cursor = next
    while (typeof cursor === 'string' && all.length < mostSaved) {
      const { data }: Answer = await callApi<Answer>('GET', path, { query: { limit: 200, cursor } })
      all.push(...(data[list] as readonly Sale[]))
      cursor = data.nextCursor
    }
    saveFile(new Blob([writeCsv(all)], { type: 'text/csv' }), `${list}.csv`)
    toast(words.saved(formatCount(all.length), all.length === 1, typeof cursor !== 'string'))
  })
  return (
    <>
      <Problem error={error} retry={() => void more(next ?? undefined)} />
      {next === undefined && error === undefined && <Waiting />}
      {next === null && rows.length === 0 && empty}
      {rows.length > 0 && (
        <RowList
          label={label}
          rows={rows}
          rowHeight={rowHeight}
          chooseKey={(sale) => `${sale.gateId} ${sale.walletAddress} ${sale.fulfilledAt} ${sale.payment?.reference}`}
          hasMore={typeof next === 'string'}
          onNearEnd={() => {
            if (typeof next === 'string' && error === undefined) void more(next)
          }}
        >
          {(sale) => <SaleRow sale={sale} side={side} onOpen={() => setOpen(sale)} />}
        </RowList>
      )}
      {rows.length > 0 && (
        <p class="sale-export">
          <button type="button" class="link" aria-disabled={save.isBusy} onClick={() => void save.run()}>
            {words.save}
          </button>
        </p>
      )}
      <Problem error={save.error} />
      {open && <SaleDetails sale={open} side={side} onClose={() => setOpen(undefined)} />}
    </>
  )
}
