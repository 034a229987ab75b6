/** The public names of wallets. A page shows addresses at once, and their names as they come. */
import { useEffect, useReducer } from 'preact/hooks'
import { callApi } from './api.ts'
import { model } from './model.ts'

/** The limit of one request. */
const mostAtOnce = 20
/** Addresses that appear together are asked about together. */
const gatherMs = 50
const evmAddress = /^0x[0-9a-f]{40}$/i

/** Null: none, or it could not be looked up. */
const names = new Map<string, string | null>()
const wanted = new Set<string>()
const watchers = new Set<() => void>()
let isGathering = false

/** The name of an EVM address, once it is known. Undefined asks about nothing. */
export function useEnsName(address: string | undefined): string | undefined {
  useEnsNames(address === undefined ? [] : [address])
  return address === undefined ? undefined : findEnsName(address)
}

/** Asks for the names of these addresses, and draws the component anew when they come. */
export function useEnsNames(addresses: readonly string[]): void {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const keys = model.hasNames ? addresses.filter((one) => evmAddress.test(one)).map((one) => one.toLowerCase()) : []
  useEffect(() => {
    if (keys.length === 0) return
    for (const key of keys) if (!names.has(key)) want(key)
    const watcher = () => render(undefined)
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }, [keys.join(' ')])
}

/** Undefined where there is none, or it is not known yet. */
export const findEnsName = (address: string): string | undefined => names.get(address.toLowerCase()) ?? undefined

function want(address: string): void {
  names.set(address, null)
  wanted.add(address)
  if (isGathering) return
  isGathering = true
  setTimeout(askWanted, gatherMs)
}

async function askWanted(): Promise<void> {
  const addresses = [...wanted].slice(0, mostAtOnce)
  for (const address of addresses) wanted.delete(address)
  try {
    const { data } = await callApi<{ data: { names: readonly { readonly address: string; readonly name: string }[] } }>(
      'GET',
      `/api/v1/profile/names?addresses=${addresses.join(',')}`,
    )
    for (const { address, name } of data.names) names.set(address, name)
  } catch {
    // A page without names is whole.
  }
  isGathering = wanted.size > 0
  if (isGathering) setTimeout(askWanted, gatherMs)
  for (const watcher of watchers) watcher()
}
