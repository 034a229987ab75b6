/** The filters of the list. All are kept in the address, so that it can be shared and restored. */

import { useEffect, useRef } from 'preact/hooks'
import type { ProofPage } from '../../../../proofs/list.ts'
import { shortenAddress } from '../../../../web/ui/dom.ts'
import { isNarrowed, listPath, longestText, type Question, readQuestion } from '../../../vault-question.ts'
import { proofStates, proofFilters as words } from '../../../words/en/vault.ts'
import { visibility } from '../../../words/en/visibility.ts'
import { DayFilter, noDays } from '../day-filter.tsx'
import { useEnsNames } from '../ens-names.ts'
import { findLabeled, nameWallet, readAccount, useLabels } from '../labels.ts'
import { useLoad } from '../load.ts'
import { model } from '../model.ts'
import { adjust } from '../route.ts'
import { titles } from '../verifier-words.ts'
import { wallets } from './list.ts'

const longestTag = 40

export const noFilters = {
  q: undefined,
  verifier: undefined,
  status: undefined,
  privacy: undefined,
  tag: undefined,
  wallet: undefined,
  history: undefined,
  ...noDays,
}

export function Toolbar({ question }: { readonly question: Question }) {
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (target.closest('input, textarea, select, dialog')) return
      event.preventDefault()
      search.current?.focus()
      search.current?.select()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
  useLabels()
  // One request. The rows ask for the names of the others.
  useEnsNames(wallets.length > 1 ? wallets.slice(0, 20) : [])
  const facets = useFacets(question)
  const isFiltered = isNarrowed(question) || question.wallet !== '' || question.withHistory || question.days.when !== ''
  return (
    <search class="vault-tools">
      <div class="vault-search">
        <label for="vault-search" class="visually-hidden">
          {words.search}
        </label>
        <input
          id="vault-search"
          ref={search}
          type="search"
          value={question.text}
          maxLength={longestText}
          placeholder={words.placeholder}
          autocomplete="off"
          spellcheck={false}
          aria-keyshortcuts="/"
          onInput={(event) =>
            // One step back removes the whole search, not its last letter.
            adjust({ q: event.currentTarget.value || undefined }, { replace: question.text !== '' })
          }
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') {
              const first = document.querySelector<HTMLElement>('.rows [data-index] a')
              if (first) event.preventDefault()
              first?.focus()
            }
          }}
        />
        <kbd>/</kbd>
      </div>
      <Labeled text={question.text} />
      <div class="vault-filters">
        <Kinds question={question} facets={facets} />
        <Choice
          name="status"
          label={words.status}
          any={words.anyStatus}
          value={question.status}
          options={[
            ['verified', proofStates.status.verified],
            ['partially_verified', proofStates.status.partially_verified],
            ['imported', proofStates.status.imported],
            ['expired', proofStates.status.expired],
            ['revoked', proofStates.status.revoked],
          ]}
        />
        <Choice
          name="privacy"
          label={words.privacy}
          any={words.anyPrivacy}
          value={question.privacy}
          options={[
            ['private', visibility.private.word],
            ['public', words.public],
          ]}
        />
        <DayFilter days={question.days} />
        <Tags question={question} facets={facets} />
        {wallets.length > 1 && (
          <Choice
            name="wallet"
            label={words.wallet}
            any={words.anyWallet}
            value={question.wallet}
            options={[...new Set(wallets)].map((wallet) => [wallet, nameWallet(wallet)])}
          />
        )}
        <label class="vault-check">
          <input
            type="checkbox"
            checked={question.withHistory}
            onChange={(event) => adjust({ history: event.currentTarget.checked ? '1' : undefined })}
          />
          {words.history}
        </label>
        {isFiltered && (
          <button type="button" class="link" onClick={() => adjust(noFilters)}>
            {words.clear}
          </button>
        )}
      </div>
    </search>
  )
}

/** No more fit beside the search. */
const mostLabeled = 4

/** The server knows no labels, so a search leads to the wallets that have the text as theirs. */
function Labeled({ text }: { readonly text: string }) {
  const found = findLabeled(text).slice(0, mostLabeled)
  if (found.length === 0) return null
  return (
    <ul class="vault-labeled" aria-label={words.labeled}>
      {found.map(({ account, label }) => {
        const address = account.slice(account.lastIndexOf(':') + 1)
        const own = wallets.find((wallet) => readAccount(wallet) === account)
        return (
          <li key={account}>
            <button
              type="button"
              class="link"
              onClick={() => adjust(own === undefined ? { q: address } : { q: undefined, wallet: own })}
            >
              {(own === undefined ? words.naming : words.ofWallet)(<bdi>{label}</bdi>, shortenAddress(address))}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Choice({
  name,
  label,
  any,
  value,
  options,
  onFocus,
}: {
  readonly name: string
  readonly label: string
  readonly any: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onFocus?: () => void
}) {
  // A link may name a value that the list of options lacks.
  const isKnown = value === '' || options.some(([one]) => one === value)
  return (
    <select
      aria-label={label}
      name={name}
      value={value}
      class={value ? 'chosen' : undefined}
      onFocus={onFocus}
      onChange={(event) => adjust({ [name]: event.currentTarget.value || undefined })}
    >
      <option value="">{any}</option>
      {!isKnown && <option value={value}>{value.slice(0, longestTag)}</option>}
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** The facets of the whole list, loaded without delaying it. */
function useFacets({ wallet }: Question): ProofPage['facets'] {
  const whole = readQuestion(new URLSearchParams(wallet ? { wallet } : {}))
  return useLoad<{ data: ProofPage }>(`${listPath(whole, wallets, { limit: 1 })}&includeFacets=1`).data?.data.facets
}

/** Offers what this server offers, and what the person has a proof of. */
function Kinds({ question, facets }: { readonly question: Question; readonly facets: ProofPage['facets'] }) {
  const ids = new Set([...model.offered, ...(facets?.verifierIds ?? []), question.verifier])
  return (
    <Choice
      name="verifier"
      label={words.kind}
      any={words.anyKind}
      value={question.verifier}
      options={titles.filter(([id]) => ids.has(id))}
    />
  )
}

/** Offers the most frequent tags. */
function Tags({ question, facets }: { readonly question: Question; readonly facets: ProofPage['facets'] }) {
  const tags = facets?.tags ?? []
  if (tags.length === 0 && question.tag === '') return null
  return (
    <Choice
      name="tag"
      label={words.tag}
      any={words.anyTag}
      value={question.tag}
      options={tags.map(({ tag }) => [tag, tag.length > longestTag ? `${tag.slice(0, longestTag)}…` : tag])}
    />
  )
}
