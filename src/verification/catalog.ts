/** The catalog on the wire. */
import { Type } from '@sinclair/typebox'
import type { Outside } from '../outside/outside.ts'
import type { Parts } from '../parts.ts'
import { findMissingSetting } from '../publishing/targets.ts'
import { Judges } from '../verifiers/shapes.ts'
import { readExpiry, type Verifier } from '../verifiers/verifier.ts'
import type { VerifierSettings } from '../verifiers/verifier-settings.ts'

export const CatalogMeta = Type.Object({
  hubChainId: Type.Integer({ description: 'The chain of requests that name none.' }),
  totalCount: Type.Integer(),
  accessLevel: Type.String(),
  supportedProtocolChainIds: Type.Array(Type.Integer()),
  supportedAssetChainIds: Type.Array(Type.Integer()),
})

export const VerifierMetadata = Type.Object(
  {
    category: Type.String(),
    description: Type.String(),
    accessLevel: Type.String({ description: 'public, or key: callers with an access key.' }),
    flowType: Type.String({ description: 'instant, interactive or external_lookup.' }),
    expiryType: Type.String({
      description: 'permanent, point_in_time or expiring, under the settings of this server.',
    }),
    allowsDelegatedSubject: Type.Boolean(),
    compatibleWith: Type.Array(Type.String()),
    conflictsWith: Type.Array(Type.String()),
    supportsDirectApi: Type.Boolean(),
    supportsHostedVerify: Type.Boolean(),
    dataSchema: Type.Object({}, { description: 'JSON Schema of `data`.' }),
    requiredFields: Type.Array(Type.String()),
    optionalFields: Type.Array(Type.String()),
    judges: Type.Optional(
      Type.Array(Judges, {
        description: 'Where providers judge: whom the operator asks, and whom a request may name.',
      }),
    ),
  },
  { $id: 'VerifierMetadata' },
)

export function buildCatalogAnswer({ catalog, config, outside, verifierSettings }: Parts) {
  const verifiers = [...catalog.enabled.values()]
  const chainIds = outside.chains.all.flatMap((chain) => (chain.kind === 'evm' ? [chain.chainId] : []))
  const publishable = chainIds.filter((chainId) => findMissingSetting(chainId, { config, outside }) === undefined)
  return {
    success: true,
    data: verifiers.map(({ id }) => id),
    metadata: Object.fromEntries(
      verifiers.map((verifier) => [
        verifier.id,
        buildMetadata(verifier, catalog.accessLevel(verifier.id), verifierSettings, outside),
      ]),
    ),
    meta: {
      hubChainId: config.signing.hubChainId,
      totalCount: verifiers.length,
      accessLevel: 'public',
      supportedProtocolChainIds: [...new Set([config.signing.hubChainId, ...publishable])],
      supportedAssetChainIds: chainIds,
    },
  }
}

function buildMetadata(verifier: Verifier, accessLevel: string, settings: VerifierSettings, outside: Outside) {
  const required: readonly string[] = verifier.data.required ?? []
  return {
    category: verifier.category,
    description: verifier.description,
    accessLevel,
    flowType: verifier.flow,
    expiryType: readExpiry(verifier, settings),
    allowsDelegatedSubject: verifier.allowsDelegatedSubject,
    compatibleWith: verifier.compatibleWith,
    conflictsWith: [],
    supportsDirectApi: verifier.flow !== 'interactive',
    supportsHostedVerify: true,
    dataSchema: verifier.data,
    requiredFields: required,
    optionalFields: Object.keys(verifier.data.properties).filter((name) => !required.includes(name)),
    ...(verifier.judges ? { judges: verifier.judges(outside) } : {}),
  }
}
