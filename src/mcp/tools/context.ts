import { Type } from '@sinclair/typebox'
import type { Identity } from '../../auth/identity.ts'
import { buildResource, writeScopeWord } from '../../oauth/vocabulary.ts'
import type { Parts } from '../../parts.ts'
import { pseudonymVerifierId } from '../../verifiers/roles.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { writeAccount } from '../../wallet/account.ts'
import { listAgents } from '../agents.ts'
import { buildHostedUrl } from '../hosted.ts'
import { buildResourceMetadataUrl } from '../metadata.ts'
import { listNotOffered, NotOffered } from '../not-offered.ts'
import { defineTool, looksOnly, toolNames } from '../tool.ts'
import { protocolVersions } from '../transport.ts'
import { listByVerifier, ProfileSummary, summarizeProfile } from '../vault.ts'

export const context = defineTool({
  name: 'context',
  title: 'Where you are, and for whom you work',
  description:
    'Call this first. Tells which server this is, who is signed in with which wallets, which verifiers and tools there are, how to work with them, and what the person already has: proofs in numbers, and agents. Changes nothing.',
  input: defineClosed({}),
  output: Type.Object({
    success: Type.Literal(true),
    setup: Type.Object({
      mcpEndpoint: Type.String(),
      apiUrl: Type.String(),
      authUrl: Type.String(),
      hostedVerifyUrl: Type.String(),
      resourceMetadataUrl: Type.String(),
      protocolVersions: Type.Array(Type.String()),
    }),
    mode: Type.Object({
      current: Type.String({ description: 'signed_in: nobody else gets here.' }),
      via: Type.String({ description: 'access-token or access-key.' }),
      scopes: Type.Array(Type.String(), { description: 'As tokens carry them, with the prefix of this server.' }),
    }),
    sessionWallet: Type.String({ description: 'The primary wallet of the person.' }),
    runtimeContract: Type.Object({
      hubChainId: Type.Integer(),
      rules: Type.Array(Type.String()),
    }),
    verifierSummary: Type.Object({
      total: Type.Integer(),
      verifierIds: Type.Array(Type.String()),
      byCategory: Type.Record(Type.String(), Type.Array(Type.String())),
      notOffered: NotOffered,
    }),
    tools: Type.Array(Type.String()),
    profileSummary: Type.Optional(ProfileSummary),
    profileContext: Type.Object({
      status: Type.String({ description: 'ready, or scope_required where the profile scope was not granted.' }),
      hint: Type.Optional(Type.String()),
      principal: Type.Optional(
        Type.Object({
          did: Type.String(),
          handle: Type.Union([Type.String(), Type.Null()]),
          primaryAccount: Type.String({ description: 'An address, or CAIP-10 of a contract wallet.' }),
          accounts: Type.Array(Type.String()),
        }),
      ),
      agents: Type.Optional(
        Type.Array(
          Type.Object(
            {
              agentId: Type.String(),
              agentWallet: Type.String(),
              identityQHash: Type.Union([Type.String(), Type.Null()]),
              qHash: Type.Union([Type.String(), Type.Null()]),
              delegationQHash: Type.String(),
            },
            { additionalProperties: true },
          ),
        ),
      ),
      profileSummary: Type.Optional(ProfileSummary),
    }),
  }),
  annotations: looksOnly,
  needs: [],

  async run(_, { parts, identity, toolName }) {
    const { addresses, catalog, config } = parts
    const { baseUrl, authUrl, mcpUrl } = addresses()
    const verifiers = [...catalog.enabled.values()]
    const byCategory: Record<string, string[]> = {}
    for (const { id, category } of verifiers) byCategory[category] = [...(byCategory[category] ?? []), id]
    return {
      success: true as const,
      setup: {
        mcpEndpoint: buildResource(mcpUrl),
        apiUrl: baseUrl,
        authUrl,
        hostedVerifyUrl: buildHostedUrl(parts, {}),
        resourceMetadataUrl: buildResourceMetadataUrl(parts),
        protocolVersions: [...protocolVersions],
      },
      mode: {
        current: 'signed_in',
        via: identity.via,
        scopes: [...identity.scopes].map((scope) => writeScopeWord(config.brand, scope)),
      },
      sessionWallet: identity.profile.primary.wallet,
      runtimeContract: {
        hubChainId: config.signing.hubChainId,
        rules: [
          `Check before you ask: ${toolName('proofs_check')} and ${toolName('verify_or_guide')} tell what is there already.`,
          'Arguments that name a wallet may be left out: they mean the primary wallet of the person.',
          'For wallets of the person no signature is needed. Never ask for a private key or a seed phrase.',
          'Proofs are private unless the person wants them public. Tell the person what you are about to claim.',
          'An answer with isError says in nextSteps what to do. Do not repeat the same call unchanged unless it says so.',
        ],
      },
      verifierSummary: {
        total: verifiers.length,
        verifierIds: verifiers.map(({ id }) => id),
        byCategory,
        notOffered: listNotOffered(catalog),
      },
      tools: toolNames.map(toolName),
      ...(await readProfilePart(parts, identity)),
    }
  },
})

async function readProfilePart(parts: Parts, identity: Identity) {
  if (!identity.scopes.has('profile'))
    return {
      profileContext: {
        status: 'scope_required',
        hint: `What the person has is left out, because ${parts.config.brand}:profile was not granted.`,
      },
    }
  const summary = await summarizeProfile(parts, identity)
  const { profile } = identity
  const accounts = await identity.listAccounts()
  return {
    profileSummary: summary,
    profileContext: {
      status: 'ready',
      principal: {
        did: profile.did,
        handle: await readHandle(parts, identity),
        primaryAccount: writeAccount(profile.primary),
        accounts: accounts.map(writeAccount),
      },
      agents: await listAgents(parts, identity),
      profileSummary: summary,
    },
  }
}

/** The newest pseudonym. */
async function readHandle(parts: Parts, identity: Identity): Promise<string | null> {
  for (const { record, expiresAt } of await listByVerifier(parts, identity, pseudonymVerifierId)) {
    const row = record.rows.find(({ verifierId, verified }) => verifierId === pseudonymVerifierId && verified)
    if (row && (expiresAt === null || expiresAt > parts.now())) return String(row.data.handle)
  }
  return null
}
