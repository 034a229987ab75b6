import { Type } from '@sinclair/typebox'
import { isProofOwner } from '../../proofs/owner.ts'
import { agentDelegationId, agentIdentityId } from '../../verifiers/roles.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { nameAccount, writeAccount, writeName } from '../../wallet/account.ts'
import { chooseAgent, listAgentDelegations, listAgentIdentities, listOwnDelegations, showAgent } from '../agents.ts'
import { buildHostedUrl } from '../hosted.ts'
import { askOperator, listOperatorSteps, selectNotOffered } from '../not-offered.ts'
import { defineTool, looksOnly } from '../tool.ts'
import { requireNamed, requireOwn, WalletArgument } from '../wallets.ts'

export const AgentId = Type.String({ minLength: 1, maxLength: 128, description: 'Id of the agent.' })

export const agentLink = defineTool({
  name: 'agent_link',
  title: 'Whether an agent is linked',
  description:
    'Tells whether an agent wallet is linked to the person: it says who it is (agent-identity, signed by the agent), and the person lets it act (agent-delegation). Changes nothing. When something is missing, call {brand}_agent_create.',
  input: defineClosed({
    agentWallet: WalletArgument(
      'The wallet of the agent; the primary wallet of the person by default, which an agent may share.',
    ),
    agentId: Type.Optional(AgentId),
    principal: WalletArgument('The wallet of the person that delegates; any of theirs by default.'),
  }),
  output: Type.Object({
    success: Type.Literal(true),
    linked: Type.Boolean(),
    status: Type.String({ description: 'ok or link_required.' }),
    agentWallet: Type.String(),
    agentLabel: Type.Optional(Type.String()),
    identity: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    identityQHash: Type.Union([Type.String(), Type.Null()]),
    delegationQHash: Type.Union([Type.String(), Type.Null()]),
    missingVerifiers: Type.Array(Type.String()),
    hostedVerifyUrl: Type.Optional(Type.String()),
    next_action: Type.String(),
    nextSteps: Type.Array(Type.String()),
  }),
  annotations: looksOnly,
  needs: ['profile'],

  async run({ agentWallet: named, agentId, principal }, { parts, identity, toolName, appId }) {
    const agent =
      named === undefined
        ? nameAccount(identity.profile.primary, parts.config.signing.hubChainId)
        : requireNamed(named, 'agentWallet', parts)
    const agentWallet = agent.wallet
    const controller = principal === undefined ? undefined : await requireOwn(identity, principal, 'principal', parts)
    const found = (await listAgentIdentities(parts, identity, agent)).find(
      ({ data }) => agentId === undefined || data.agentId === agentId,
    )
    const account = found?.proof.account ?? (await chooseAgent(parts, identity, agent))
    const delegation = (
      await listAgentDelegations(parts, await listOwnDelegations(parts, identity), account, agentId)
    ).find(({ isExpired, proof }) => !isExpired && (controller === undefined || isProofOwner(proof, controller)))
    const missing = [...(found ? [] : [agentIdentityId]), ...(delegation ? [] : [agentDelegationId])]
    const linked = missing.length === 0
    const lacking = selectNotOffered(missing, parts.catalog)
    const label = found?.data.agentLabel
    return {
      success: true as const,
      linked,
      status: linked ? 'ok' : 'link_required',
      agentWallet,
      ...(typeof label === 'string' ? { agentLabel: label } : {}),
      identity: found ? { agentId: found.data.agentId, agentWallet, ...showAgent(found.data) } : null,
      identityQHash: found?.proof.qHash ?? null,
      delegationQHash: delegation?.proof.qHash ?? null,
      missingVerifiers: missing,
      ...(linked
        ? { next_action: 'ready', nextSteps: [`Call ${toolName('agent_mount')} to work as this agent.`] }
        : lacking.length > 0
          ? { next_action: askOperator, nextSteps: listOperatorSteps(lacking.map(parts.catalog.absence)) }
          : {
              hostedVerifyUrl: buildHostedUrl(parts, {
                verifiers: missing.join(','),
                agentId,
                agentWallet: writeName(agent),
                controllerWallet: writeAccount(controller ?? identity.profile.primary),
                appId,
              }),
              next_action: `call_${toolName('agent_create')}`,
              nextSteps: [
                `Ask the person whether this agent shall act for them, then call ${toolName('agent_create')} with agentWallet ${writeName(agent)}${agentId === undefined ? ' and an agentId' : ''}.`,
                'Or give the person hostedVerifyUrl to open.',
              ],
            }),
    }
  },
})
