/** The names that the person gave to wallets, as all views show them. */
import { useEffect, useReducer } from 'preact/hooks'
import { shortenAddress } from '../../../web/ui/dom.ts'
import { callApi } from './api.ts'
import { findEnsName } from './ens-names.ts'
import { model, session } from './model.ts'

const path = '/api/v1/profile/labels'
const labels = new Map(Object.entries(model.labels))
const watchers = new Set<() => void>()

interface Label {
  readonly account: string
  readonly label: string
}

const tellWatchers = (): void => {
  for (const watcher of watchers) watcher()
}

/** Draws the component anew whenever a label changes. */
export function useLabels(): void {
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const watcher = () => render(undefined)
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }, [])
}

/**
 * The account of an address. A contract wallet counts on its chain alone, and the chain is known of the person's own
 * wallets only.
 */
export function readAccount(address: string): string {
  const own = session.accounts.find(({ wallet }) => wallet === address)
  return own?.contractOn === undefined ? address : `${own.contractOn}:${address}`
}

/** `account`: an address, or the CAIP-10 id of a contract wallet. */
export const findLabel = (account: string): string | undefined => labels.get(account)

export const listLabels = (): readonly Label[] => [...labels].map(([account, label]) => ({ account, label }))

/** One line for a wallet where no component fits: its label or its ENS name, and its short address. */
export function nameWallet(address: string): string {
  const account = readAccount(address)
  // A contract wallet counts on its chain alone, and names are of Ethereum.
  const name = findLabel(account) ?? (account === address ? findEnsName(address) : undefined)
  return name === undefined ? shortenAddress(address) : `${name} (${shortenAddress(address)})`
}

/** The wallets whose label has this text, in either case. */
export function findLabeled(text: string): readonly Label[] {
  const sought = text.trim().toLocaleLowerCase()
  return sought === '' ? [] : listLabels().filter(({ label }) => label.toLocaleLowerCase().includes(sought))
}

/** An empty text removes the label. Errors: ProofgateError. */
export async function saveLabel(account: string, text: string): Promise<void> {
  if (text === '') {
    await callApi('DELETE', `${path}/${encodeURIComponent(account)}`)
    labels.delete(account)
  } else {
    const { data } = await callApi<{ data: Label }>('POST', path, { body: { account, label: text } })
    labels.set(account, data.label)
  }
  tellWatchers()
}

/** Reads the labels again, which another tab may have changed. Errors: ProofgateError. */
export async function reloadLabels(): Promise<void> {
  const { data } = await callApi<{ data: { labels: readonly Label[] } }>('GET', path)
  labels.clear()
  for (const { account, label } of data.labels) labels.set(account, label)
  tellWatchers()
}
