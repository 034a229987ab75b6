/** The wallets on a guest list, for the owner of the gate alone: page by page, to search and to remove. */
import { useEffect, useState } from 'preact/hooks'
import { gateForm } from '../../../words/en/gate-form.ts'
import { formatCount } from '../../locale.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { useAction, useLoad } from '../load.ts'
import { Problem } from '../problem.tsx'
import { toast } from '../toast.tsx'

const { guests: words } = gateForm

export interface GuestsAnswer {
  readonly data: {
    readonly guests: readonly { readonly wallet: string }[]
    readonly totalCount: number
    readonly next: string | null
  }
}

export interface Changed {
  readonly data: {
    readonly added: number
    readonly removed: number
    readonly duplicates: number
    readonly stillListed: number
  }
}

/** What a change has done, as a note. */
export function writeDone({ added, removed, duplicates, stillListed }: Changed['data']): string {
  return [
    added > 0 || removed === 0 ? words.added(formatCount(added)) : '',
    removed > 0 ? words.removed(formatCount(removed)) : '',
    stillListed > 0 ? words.stillListed(stillListed, formatCount(stillListed)) : '',
    duplicates > 0 ? words.repeated(duplicates, formatCount(duplicates)) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

export const writeGuestsPath = (gateId: string): string => `/api/v1/profile/gates/${encodeURIComponent(gateId)}/guests`

const perPage = 20
/** A request for each letter would be too many. */
const typingMs = 250

/** `revision` changes with the list. */
export function GuestList({
  path,
  revision,
  onChange,
}: {
  readonly path: string
  readonly revision: number
  onChange(): Promise<void>
}) {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  /** Where each page begins that was opened, up to the one that is shown. */
  const [starts, setStarts] = useState<readonly string[]>([''])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() === search) return
      setSearch(typed.trim())
      setStarts([''])
    }, typingMs)
    return () => clearTimeout(timer)
  }, [typed, search])
  const query = new URLSearchParams({ limit: String(perPage) })
  if (search !== '') query.set('search', search)
  if (starts.at(-1)) query.set('after', starts.at(-1)!)
  const loaded = useLoad<GuestsAnswer>(`${path}?${query}`, revision)
  const page = loaded.data?.data
  const remove = useAction(async (wallet: string) => {
    const { data } = await callApi<Changed>('POST', path, { body: { remove: wallet } })
    toast(writeDone(data))
    // The last wallet of a page leaves an empty one behind.
    if (page?.guests.length === 1 && starts.length > 1) setStarts(starts.slice(0, -1))
    await onChange()
  })
  // The page that is shown stays until the next one comes, and its end is not the end of that one.
  const renderTurn = (label: string, to: readonly string[]) => (
    <button
      type="button"
      class="button secondary small"
      aria-disabled={loaded.isLoading}
      onClick={() => !loaded.isLoading && setStarts(to)}
    >
      {label}
    </button>
  )
  return (
    <section class="guests" aria-label={words.listed}>
      <search class="field" data-dropped="">
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          maxLength={128}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </search>
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      <Problem error={remove.error} />
      <p class="quiet" role="status">
        {page?.guests.length === 0 ? words.noMatch : ''}
      </p>
      {page !== undefined && page.guests.length > 0 && (
        <ul class="list" aria-label={words.listed}>
          {page.guests.map(({ wallet }) => (
            <li key={wallet}>
              <span class="list-text">
                <Address value={wallet} account={wallet} canLabel />
              </span>
              <button type="button" class="link" onClick={() => !remove.isBusy && void remove.run(wallet)}>
                {words.removeOne} <span class="visually-hidden">{wallet}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {(starts.length > 1 || page?.next) && (
        <p class="actions">
          {starts.length > 1 && renderTurn(words.before, starts.slice(0, -1))}
          {page?.next && renderTurn(words.after, [...starts, page.next])}
        </p>
      )}
    </section>
  )
}
