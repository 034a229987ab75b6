/** The list of all verifiers, and the catalog of those a deployment offers. */
import { agentDelegation } from './agent-delegation.ts'
import { agentIdentity } from './agent-identity.ts'
import { ownershipBasic } from './ownership-basic.ts'
import { ownershipPseudonym } from './ownership-pseudonym.ts'
import type { Verifier } from './verifier.ts'
import { walletLink } from './wallet-link.ts'

/** Every verifier this build knows, in catalog order. To add one: write its file, add it here. */
const all: readonly Verifier[] = [ownershipBasic, ownershipPseudonym, walletLink, agentIdentity, agentDelegation]

/** Verifiers of the interface that this build does not hold, so that asking for one gets a better answer than a typo. */
const notInThisBuild = new Set([
  'ownership-social',
  'ownership-dns-txt',
  'ownership-org-oauth',
  'ownership-licensed',
  'contract-ownership',
  'proof-of-human',
  'nft-ownership',
  'token-holding',
  'wallet-risk',
  'ai-content-moderation',
])

export type AccessLevel = 'public' | 'key'

export interface Catalog {
  readonly enabled: ReadonlyMap<string, Verifier>
  /** All of this build: proofs of a verifier that was switched off later are still shown by its rules. */
  readonly known: ReadonlyMap<string, Verifier>
  accessLevel(id: string): AccessLevel
  /** Why an id is not in the catalog, and what would put it there. */
  absence(id: string): string
}

/** A setting that names a verifier this build does not know. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError'
}

/** Throws CatalogError at start-up, not at the first request. */
export function catalogOf(enabledIds: readonly string[], access: Readonly<Record<string, AccessLevel>>): Catalog {
  const byId = new Map(all.map((verifier) => [verifier.id, verifier]))
  if (byId.size !== all.length) throw new CatalogError('two verifiers share an id')
  for (const id of [...enabledIds, ...Object.keys(access)])
    if (!byId.has(id))
      throw new CatalogError(
        `the configuration names a verifier this build does not have: "${id}" (it has ${[...byId.keys()].join(', ')})`,
      )

  const enabled = new Map(enabledIds.map((id) => [id, byId.get(id)!]))
  return {
    enabled,
    known: byId,
    accessLevel: (id) => access[id] ?? 'public',
    absence(id) {
      if (byId.has(id)) return `"${id}" is switched off here: the operator can add it to verifiers.enabled`
      if (notInThisBuild.has(id)) return `"${id}" is not part of this version of Proofgate`
      return `there is no verifier "${id}". Enabled here: ${[...enabled.keys()].join(', ')}`
    },
  }
}
