/** The call of the tool verify that makes what is missing, and what its data must have: what the tool cannot fill in. */
import type { Catalog } from '../verifiers/index.ts'

interface DataNeeds {
  /** Members that the tool fills in (tools/verify.ts). */
  readonly filled?: readonly string[]
  /** Members that its schema cannot require, because others may take their place. */
  readonly chosen?: readonly string[]
}

const link = 'wallet-link'

const needs: Readonly<Record<string, DataNeeds>> = {
  'ownership-basic': { filled: ['owner'], chosen: ['content'] },
  'nft-ownership': { chosen: ['chainId'] },
  'token-holding': { chosen: ['chainId'] },
  // The second wallet signs a text that the tool prepares.
  [link]: { filled: ['signature', 'signatureMethod', 'signedTimestamp'], chosen: ['secondaryWalletAddress'] },
}

function listNeeded(id: string, { enabled }: Catalog): readonly string[] {
  const required: readonly string[] = enabled.get(id)?.data.required ?? []
  const { filled = [], chosen = [] } = needs[id] ?? {}
  return [...new Set([...required.filter((name) => !filled.includes(name)), ...chosen])]
}

/**
 * One step for all of them, save that a link is made alone: its second wallet signs first. `more` says which wallet it is
 * for, and what comes back.
 */
export function listCallSteps(verifierIds: readonly string[], tool: string, catalog: Catalog, more: string): string[] {
  const calls = [verifierIds.filter((id) => id !== link), verifierIds.filter((id) => id === link)]
  return calls
    .filter((ids) => ids.length > 0)
    .map((ids) => {
      const members = ids.flatMap((id) =>
        listNeeded(id, catalog).map((name) => (ids.length === 1 ? `data.${name}` : `data["${id}"].${name}`)),
      )
      const withData = members.length === 0 ? '' : ` and with ${members.join(', ')}`
      return `Call ${tool} with verifierIds ${JSON.stringify(ids)}${withData}${more}.`
    })
}
