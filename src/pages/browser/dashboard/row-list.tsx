/**
 * A long list in which only the visible rows are elements. It scrolls with the page and asks for more rows before its
 * end is visible. Arrow keys, Home, End and Page keys move between rows. With Shift, the caller hears of each row on the way. Each row has
 * one link or button for Enter.
 */
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The number of extra rows rendered above and below the visible ones. */
const margin = 12

export interface RowListProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  /** In CSS pixels, the same for all rows. */
  readonly rowHeight: number
  readonly chooseKey: (row: T) => string
  readonly hasMore?: boolean
  /** Called near the end of the list; the caller must avoid requesting the same page twice. */
  readonly onNearEnd?: (() => void) | undefined
  readonly onKey?: ((event: KeyboardEvent, row: T, index: number) => void) | undefined
  /** Called with the rows from the former one to the new one, when Shift is held. */
  readonly onRange?: ((rows: readonly T[]) => void) | undefined
  readonly children: (row: T, index: number) => ComponentChildren
}

export function RowList<T>({
  label,
  rows,
  rowHeight,
  chooseKey,
  hasMore = false,
  onNearEnd,
  onKey,
  onRange,
  children,
}: RowListProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [range, setRange] = useState({ from: 0, to: Math.min(rows.length, 40) })
  const wanted = useRef<number>(undefined)

  const look = useCallback(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    const from = Math.max(0, Math.floor(-top / rowHeight) - margin)
    const to = Math.min(rows.length, Math.ceil((innerHeight - top) / rowHeight) + margin)
    setRange((before) => (before.from === from && before.to === to ? before : { from, to }))
    if (hasMore && to >= rows.length - 2 * margin) onNearEnd?.()
  }, [rows.length, rowHeight, hasMore, onNearEnd])

  useLayoutEffect(() => {
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [look])

  const focusRow = (index: number): boolean => {
    const target = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] :is(a, button)`)
    target?.focus({ preventScroll: true })
    return target !== null && target !== undefined
  }
  // Focus the row after it was rendered.
  useEffect(() => {
    if (wanted.current !== undefined && focusRow(wanted.current)) wanted.current = undefined
  })

  const goTo = (index: number): void => {
    const at = Math.max(0, Math.min(rows.length - 1, index))
    const top = (list.current?.getBoundingClientRect().top ?? 0) + at * rowHeight
    const room = rowHeight * 1.5
    if (top < room) scrollBy(0, top - room)
    else if (top + rowHeight > innerHeight - room) scrollBy(0, top + rowHeight - innerHeight + room)
    if (!focusRow(at)) {
      wanted.current = at
      look()
    }
  }

  const steps: Readonly<Record<string, (index: number) => number>> = {
    ArrowDown: (index) => index + 1,
    ArrowUp: (index) => index - 1,
    PageDown: (index) => index + Math.floor(innerHeight / rowHeight) - 2,
    PageUp: (index) => index - Math.floor(innerHeight / rowHeight) + 2,
    Home: () => 0,
    End: () => rows.length - 1,
  }

  const handleKeyDown = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? Number.NaN)
    if (Number.isNaN(index) || event.altKey || target.matches('input, textarea, select')) return
    const step = event.ctrlKey || event.metaKey ? undefined : steps[event.key]
    if (step) {
      event.preventDefault()
      const next = Math.max(0, Math.min(rows.length - 1, step(index)))
      if (event.shiftKey) onRange?.(rows.slice(Math.min(index, next), Math.max(index, next) + 1))
      goTo(next)
    } else onKey?.(event, rows[index]!, index)
  }

  const shown = rows.slice(range.from, Math.min(range.to, rows.length))
  return (
    <ul
      class="rows"
      aria-label={label}
      ref={list}
      onKeyDown={handleKeyDown}
      style={{ height: `${rows.length * rowHeight}px` }}
    >
      {shown.map((row, offset) => {
        const index = range.from + offset
        return (
          <li
            key={chooseKey(row)}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={hasMore ? -1 : rows.length}
            style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
          >
            {children(row, index)}
          </li>
        )
      })}
    </ul>
  )
}
