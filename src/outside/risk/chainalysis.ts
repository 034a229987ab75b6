/**
 * Chainalysis: the sanctions screening call. It knows sanctioned wallets and nothing else: every identification makes a
 * wallet sanctioned, and none makes it 0 of 100, which is no statement about what the wallet did.
 */
import { Type } from '@sinclair/typebox'
import type { Endpoint } from '../http/endpoint.ts'
import { riskChainNames, unknownChain } from './chains.ts'
import { descriptionText, issuesMax, tagText } from './issue-text.ts'
import { providerAnswer } from './provider-answer.ts'
import { assessmentOf, type RiskProvider } from './risk.ts'

/** Sanctions lists name wallets of these. For others "no identification" would mean that nobody looked. */
const known = riskChainNames.filter((chain) => !['ton', 'sui', 'stellar'].includes(chain))

const Answer = Type.Object({
  identifications: Type.Array(
    Type.Object({
      category: Type.Optional(Type.String()),
      name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})

export const chainalysis = (endpoint: Endpoint, apiKey: string): RiskProvider => ({
  name: 'chainalysis',
  // An EVM address is the same wallet on every EVM chain.
  coverage: ({ chain, chainId }) =>
    chainId !== undefined || (known as readonly string[]).includes(chain) ? 'whole' : 'none',
  refusal: ({ chain }) => unknownChain('chainalysis', chain, known),
  async assess({ address }) {
    const { identifications } = await providerAnswer(
      endpoint,
      `/api/v1/address/${encodeURIComponent(address)}`,
      { 'x-api-key': apiKey },
      Answer,
    )
    return assessmentOf({
      overallRisk: 0,
      sanctioned: identifications.length > 0,
      poisoned: false,
      issues: identifications.slice(0, issuesMax).map(({ category, name, description }) => ({
        tag: tagText(category ?? 'sanctions'),
        severity: 'critical' as const,
        description: descriptionText(name ?? description ?? ''),
      })),
      checked: ['sanctions'],
      sources: [endpoint.setting],
    })
  },
})
