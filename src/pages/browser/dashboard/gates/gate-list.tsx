/** Finds a gate among many: by name, by status, in an order of choice. It appears when there are more than a few. */
import { gates as words } from '../../../words/en/gates.ts'
import type { GateStatus, OwnGate } from './definition.ts'

export interface Wanted {
  readonly text: string
  /** Archived gates are shown under `archived` alone, whatever their status. */
  readonly status: GateStatus | '' | 'archived'
  readonly order: Order
}

type Order = 'newest' | 'changed' | 'name' | 'passes'

export const wantsAll: Wanted = { text: '', status: '', order: 'newest' }

/** Fewer are seen at a glance. */
export const fewGates = 6

const statuses = [
  ['', words.list.anyStatus],
  ['active', words.statuses.active],
  ['paused', words.statuses.paused],
  ['draft', words.statuses.draft],
  ['archived', words.archive.tag],
] as const

const compare: Readonly<Record<Order, (one: OwnGate, other: OwnGate) => number>> = {
  newest: (one, other) => other.createdAt - one.createdAt,
  changed: (one, other) => other.updatedAt - one.updatedAt,
  name: (one, other) => one.name.localeCompare(other.name),
  passes: (one, other) => other.fulfilledCount - one.fulfilledCount,
}

/** `gates` come as the server lists them, the oldest first. */
export function selectGates(gates: readonly OwnGate[], { text, status, order }: Wanted): readonly OwnGate[] {
  const searched = text.trim().toLowerCase()
  const found = [...gates]
    .reverse()
    .filter(
      (gate) =>
        gate.archived === (status === 'archived') &&
        (status === '' || status === 'archived' || gate.status === status) &&
        (gate.name.toLowerCase().includes(searched) || gate.gateId.toLowerCase().includes(searched)),
    )
  return found.sort(compare[order])
}

export function GateTools({ wanted, onChange }: { readonly wanted: Wanted; onChange(wanted: Wanted): void }) {
  return (
    <search class="gate-tools" aria-label={words.list.find}>
      <div class="field">
        <input
          type="search"
          aria-label={words.list.search}
          placeholder={words.list.search}
          maxLength={200}
          value={wanted.text}
          onInput={({ currentTarget }) => onChange({ ...wanted, text: currentTarget.value })}
        />
      </div>
      <div class="field">
        <select
          aria-label={words.list.status}
          value={wanted.status}
          onChange={({ currentTarget }) => onChange({ ...wanted, status: currentTarget.value as Wanted['status'] })}
        >
          {statuses.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <select
          aria-label={words.list.order}
          value={wanted.order}
          onChange={({ currentTarget }) => onChange({ ...wanted, order: currentTarget.value as Order })}
        >
          {Object.entries(words.list.orders).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </search>
  )
}
