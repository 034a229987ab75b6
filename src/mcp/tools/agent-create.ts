import { randomBytes } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { findInOrder, isSomeInOrder } from '../../in-order.ts'
import { agentDelegation } from '../../verifiers/agent-delegation/rule.ts'
import { agentIdentity } from '../../verifiers/agent-identity/rule.ts'
import { agentDelegationId, agentIdentityId } from '../../verifiers/roles.ts'
import { defineClosed, keepPresent } from '../../verifiers/shapes.ts'
import { type NamedAccount, nameAccount, writeAccount, writeName } from '../../wallet/account.ts'
import { findSecondsFault } from '../../wallet/unix-milliseconds.ts'
import { type AgentPlan, listMissing, makeDelegation, makeIdentity, type Step } from '../agent-setup.ts'
import { findIdentities, isAgent, listOwnDelegations, readAgent } from '../agents.ts'
import { buildHostedUrl, ReturnUrl } from '../hosted.ts'
import { requireOffered } from '../not-offered.ts'
import { Prepared, signaturePlaceholder } from '../prepared.ts'
import { type Caller, defineTool } from '../tool.ts'
import { requireNamed, WalletArgument } from '../wallets.ts'
import { AgentId } from './agent-link.ts'

/** Loads when it is used: it brings a library of elliptic curves. */
const loadAccounts = () => require('viem/accounts') as typeof import('viem/accounts')

const about = agentIdentity.data.properties
const granted = agentDelegation.data.properties

const Input = defineClosed({
  agentId: AgentId,
  agentWallet: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'The wallet of the agent, or "generate" to make one: its private key is then in the answer, once. By default the agent of this id keeps its wallet, and a new one shares the primary wallet of the person.',
    }),
  ),
  controllerWallet: WalletArgument('The wallet that delegates; the primary wallet of the person by default.'),
  agentLabel: about.agentLabel,
  agentType: about.agentType,
  description: about.description,
  instructions: about.instructions,
  capabilities: about.capabilities,
  skills: about.skills,
  services: about.services,
  defaultRuntime: about.defaultRuntime,
  scope: granted.scope,
  maxSpend: granted.maxSpend,
  expiresAt: granted.expiresAt,
  delegationPermissions: granted.permissions,
  delegationAllowedActions: granted.allowedActions,
  delegationDeniedActions: granted.deniedActions,
  delegationRuntimePolicy: granted.runtimePolicy,
  delegationApprovalPolicy: granted.approvalPolicy,
  approvalPolicy: granted.approvalPolicy,
  provider: granted.provider,
  model: granted.model,
  returnUrl: ReturnUrl,
})

export const agentCreate = defineTool({
  name: 'agent_create',
  title: 'Make an agent that acts for the person',
  description:
    'Makes an agent: an agent-identity, signed by the wallet of the agent, and an agent-delegation by which the person lets it act. The identity is public and listed: everybody may read its id, wallet, label, description, instructions, skills and services, so put nothing secret there. The delegation is private. The person who is signed in need not sign. Without agentWallet the agent shares the primary wallet of the person. With agentWallet "generate" a new wallet is made and its private key is returned once: give it to the person to keep, and never repeat it. Any other wallet signs a prepared text. Ask the person before you call, and say what the agent will be allowed to do and what everybody will see.',
  input: Input,
  output: Type.Object({
    success: Type.Literal(true),
    path: Type.String({ description: 'already_linked, session_auto_complete or signatures_required.' }),
    next_action: Type.String({ description: 'ready or submit_remaining_signatures.' }),
    agentId: Type.String(),
    agentWallet: Type.String(),
    controllerWallet: Type.String(),
    sessionProgress: Type.Object({ identityComplete: Type.Boolean(), delegationComplete: Type.Boolean() }),
    identityQHash: Type.Union([Type.String(), Type.Null()]),
    delegationQHash: Type.Union([Type.String(), Type.Null()]),
    generatedWallet: Type.Optional(
      Type.Object(
        { address: Type.String(), privateKey: Type.String() },
        { description: 'Returned this once and kept nowhere.' },
      ),
    ),
    preparedSignatures: Type.Array(Prepared),
    delegationProblem: Type.Optional(Type.String({ description: 'Why the delegation could not be made.' })),
    hostedVerifyUrl: Type.Optional(Type.String()),
    message: Type.String(),
    nextSteps: Type.Array(Type.String()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  needs: ['profile'],

  async run(args, caller) {
    const { parts, identity } = caller
    const { expiresAt } = args
    const inSeconds = expiresAt ? findSecondsFault(expiresAt) : undefined
    if (inSeconds !== undefined)
      throw new AppError('VALIDATION_ERROR', `argument expiresAt ${inSeconds}`, { argument: 'expiresAt' })
    if (expiresAt && expiresAt <= parts.now())
      throw new AppError(
        'VALIDATION_ERROR',
        'argument expiresAt is in the past: give Unix milliseconds in the future, or 0 for never',
        {
          argument: 'expiresAt',
        },
      )
    const { hubChainId } = parts.config.signing
    const own = nameAccount(identity.profile.primary, hubChainId)
    const controller =
      args.controllerWallet === undefined ? own : requireNamed(args.controllerWallet, 'controllerWallet', parts)
    // Refused before anything is made.
    buildHostedUrl(parts, { returnUrl: args.returnUrl })
    if (args.agentWallet !== 'generate') {
      const agent =
        args.agentWallet === undefined
          ? ((await findEarlier(args.agentId, caller)) ?? own)
          : requireNamed(args.agentWallet, 'agentWallet', parts)
      return createAgent(makePlan(args, agent, controller), args, caller)
    }

    const earlier = await findEarlier(args.agentId, caller)
    if (earlier !== undefined) return createAgent(makePlan(args, earlier, controller), args, caller)
    requireOffered([agentIdentityId, agentDelegationId], parts)
    // A new wallet has an allowance of its own, so what it makes counts for the person too.
    parts.limiter.take('create', writeAccount(identity.profile.primary))
    const privateKey = makePrivateKey()
    const wallet = loadAccounts().privateKeyToAccount(privateKey).address.toLowerCase()
    return createAgent(
      makePlan(args, nameAccount({ wallet, contractOn: undefined }, hubChainId), controller),
      args,
      caller,
      privateKey,
    )
  },
})

type Args = Static<typeof Input>

/**
 * The wallet of the person's existing agent with this id, if any. Another one would be a second agent of the same name.
 */
async function findEarlier(agentId: string, { parts, identity }: Caller): Promise<NamedAccount | undefined> {
  const agents = (await listOwnDelegations(parts, identity))
    .filter(({ data, isExpired }) => !isExpired && data.agentId === agentId)
    .map(({ data }) => readAgent(data, parts))
  const named = (await findIdentities(parts, identity, agents)).filter(({ data }) => data.agentId === agentId)
  return findInOrder(agents, (agent) => isSomeInOrder(named, ({ proof }) => isAgent(parts, identity, agent, proof)))
}

const makePlan = (args: Args, agent: NamedAccount, controller: NamedAccount): AgentPlan => ({
  agentId: args.agentId,
  agent,
  controller,
  about: keepPresent({
    agentLabel: args.agentLabel,
    agentType: args.agentType,
    description: args.description,
    instructions: args.instructions,
    capabilities: args.capabilities,
    skills: args.skills,
    services: args.services,
    defaultRuntime: args.defaultRuntime,
  }),
  granted: keepPresent({
    scope: args.scope,
    maxSpend: args.maxSpend,
    expiresAt: args.expiresAt,
    permissions: args.delegationPermissions,
    allowedActions: args.delegationAllowedActions,
    deniedActions: args.delegationDeniedActions,
    runtimePolicy: args.delegationRuntimePolicy,
    approvalPolicy: args.delegationApprovalPolicy ?? args.approvalPolicy,
    provider: args.provider,
    model: args.model,
  }),
})

async function createAgent(plan: AgentPlan, args: Args, caller: Caller, privateKey?: `0x${string}`) {
  const { parts, toolName } = caller
  // Checked before any step: half an agent is useless.
  requireOffered(await listMissing(plan, caller), parts)
  const identity = await makeIdentity(plan, caller, privateKey)
  const { step: delegation, problem } = await delegateAgent(plan, caller, privateKey !== undefined)
  const remaining = [identity, delegation].flatMap((step) => step.prepared ?? [])
  const isComplete = identity.qHash !== null && delegation.qHash !== null
  const { agentId } = plan
  const [agentWallet, controllerWallet] = [plan.agent.wallet, plan.controller.wallet]
  return {
    success: true as const,
    path: choosePath(identity, delegation, isComplete),
    next_action: isComplete
      ? 'ready'
      : problem === undefined
        ? 'submit_remaining_signatures'
        : `call_${toolName('agent_create')}`,
    agentId,
    agentWallet,
    controllerWallet,
    sessionProgress: { identityComplete: identity.qHash !== null, delegationComplete: delegation.qHash !== null },
    identityQHash: identity.qHash,
    delegationQHash: delegation.qHash,
    ...(privateKey === undefined ? {} : { generatedWallet: { address: agentWallet, privateKey } }),
    preparedSignatures: remaining,
    ...(problem === undefined ? {} : { delegationProblem: problem }),
    ...(isComplete ? {} : { hostedVerifyUrl: buildSetupUrl(plan, args, identity.qHash !== null, caller) }),
    message: `${isComplete ? 'The agent is linked.' : (problem ?? `${remaining.length} signature(s) are needed.`)}${tellVisibility(identity)}`,
    nextSteps: isComplete
      ? [
          ...(privateKey === undefined ? [] : ['Give the person the private key to keep; it cannot be had again.']),
          `Call ${toolName('agent_mount')} with agentId ${JSON.stringify(agentId)} to work as this agent.`,
        ]
      : [
          `Have each wallet of preparedSignatures sign its signerString, then call ${toolName('verify')} with submitWith.arguments, with the signature where they say ${signaturePlaceholder}.`,
          `Then call ${toolName('agent_link')} to see that the agent is linked. Or give the person hostedVerifyUrl to open.`,
        ],
  }
}

/** It says nothing about the visibility of an existing identity, which its owner chose. */
const tellVisibility = ({ wasThere, qHash }: Step): string =>
  wasThere
    ? ''
    : ` The agent-identity ${qHash === null ? 'will be' : 'is'} public and listed: tell the person that everybody may read it.`

/** A key that was just made must reach the person, whatever becomes of the delegation. */
async function delegateAgent(
  plan: AgentPlan,
  caller: Caller,
  isGenerated: boolean,
): Promise<{ readonly step: Step; readonly problem?: string }> {
  try {
    return { step: await makeDelegation(plan, caller) }
  } catch (error) {
    if (!isGenerated || !(error instanceof AppError)) throw error
    return { step: { qHash: null, wasThere: false, prepared: undefined }, problem: error.message }
  }
}

function choosePath(identity: Step, delegation: Step, isComplete: boolean): string {
  if (!isComplete) return 'signatures_required'
  return identity.wasThere && delegation.wasThere ? 'already_linked' : 'session_auto_complete'
}

/** The set-up page with its fields filled in (src/guides/wire.md, "Hosted pages"). */
function buildSetupUrl(
  { agentId, agent, controller, granted }: AgentPlan,
  args: Args,
  hasIdentity: boolean,
  { parts, appId }: Caller,
): string {
  const writeJson = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value))
  return buildHostedUrl(parts, {
    verifiers: hasIdentity ? agentDelegationId : `${agentIdentityId},${agentDelegationId}`,
    agentId,
    agentWallet: writeName(agent),
    controllerWallet: writeName(controller),
    agentLabel: args.agentLabel,
    agentType: args.agentType,
    scope: args.scope,
    expiresAt: args.expiresAt ? String(args.expiresAt) : undefined,
    maxSpend: args.maxSpend,
    prefillDelegationDefaults:
      args.delegationPermissions && JSON.stringify({ permissions: args.delegationPermissions }),
    prefillAllowedActions: writeJson(granted.allowedActions),
    prefillDeniedActions: writeJson(granted.deniedActions),
    prefillRuntimePolicy: writeJson(granted.runtimePolicy),
    prefillApprovalPolicy: writeJson(granted.approvalPolicy),
    appId,
    returnUrl: args.returnUrl,
  })
}

/** 32 random bytes are a key of secp256k1, save for a chance of one in 2^128. */
const makePrivateKey = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`
