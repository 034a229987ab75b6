import { type Static, Type } from '@sinclair/typebox'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { AppError } from '../../errors.ts'
import { filterInOrder, findInOrder, isSomeInOrder } from '../../in-order.ts'
import { isProofOwner } from '../../proofs/owner.ts'
import { agentDelegationId, agentIdentityId } from '../../verifiers/roles.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { isEvmAddress, type NamedAccount, nameAccount, writeName } from '../../wallet/account.ts'
import {
  type Attested,
  type Delegated,
  findIdentities,
  findIdentity,
  findWhole,
  isAgent,
  listAgentDelegations,
  listOwnDelegations,
  readAgent,
} from '../agents.ts'
import { makeRuntimeBundle } from '../mount.ts'
import { requireOffered } from '../not-offered.ts'
import { type Caller, defineTool, looksOnly, toolNames } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { requireNamed, WalletArgument } from '../wallets.ts'
import { AgentId } from './agent-link.ts'

const Input = defineClosed({
  agentId: Type.Optional(AgentId),
  agentWallet: WalletArgument('The wallet of the agent.'),
  identityQHash: Type.Optional(Type.String({ pattern: qHashPattern, description: 'Id of its agent-identity proof.' })),
})

const nullableText = Type.Union([Type.String(), Type.Null()])
const open = Type.Object({}, { additionalProperties: true })
const nullableObject = Type.Union([open, Type.Null()])
const words = Type.Array(Type.String())

export const agentMount = defineTool({
  name: 'agent_mount',
  title: 'Work as an agent of the person',
  description:
    'Gives the runtime bundle of an agent of the person: who it is, what it may and may not do, its instructions, skills and runtime, and the names of the secrets it may use. Follow enforce strictly: denied actions win over allowed ones, and what needs human approval needs it every time. Name the agent by agentId, agentWallet or identityQHash.',
  input: Input,
  output: Type.Object({
    schema: Type.String(),
    mountedAt: Type.String(),
    trust: Type.Object({
      identityQHash: Type.String(),
      delegationQHash: nullableText,
      identityProofUrl: Type.String({ description: 'A page for people, and so is delegationProofUrl.' }),
      delegationProofUrl: nullableText,
    }),
    identity: Type.Object({
      agentId: Type.String(),
      agentWallet: Type.String(),
      agentLabel: Type.String(),
      agentType: Type.String(),
      description: Type.Optional(Type.String()),
      instructions: Type.Optional(Type.String()),
      capabilities: words,
      skills: Type.Array(open),
      services: Type.Optional(Type.Array(open)),
      defaultRuntime: Type.Optional(open),
    }),
    delegation: Type.Union([
      Type.Object({
        controllerWallet: Type.String(),
        scope: Type.String(),
        allowedActions: words,
        deniedActions: words,
        runtimePolicy: nullableObject,
        approvalPolicy: nullableObject,
        expiresAt: Type.Union([Type.Integer(), Type.Null()]),
        isExpired: Type.Boolean(),
        maxSpend: nullableText,
        instructions: nullableText,
        skills: Type.Array(open),
        provider: nullableText,
        model: nullableText,
      }),
      Type.Null(),
    ]),
    effectiveRuntime: Type.Union([Type.Object({ provider: Type.String(), model: nullableText }), Type.Null()]),
    tools: words,
    secretBindings: Type.Array(Type.Object({ alias: Type.String(), qHash: Type.String(), type: Type.String() })),
    enforce: Type.Object({
      deniedActions: words,
      allowedActions: Type.Optional(words),
      requiresHumanApproval: Type.Optional(Type.Boolean()),
      approvalPolicy: Type.Optional(open),
    }),
    contextPack: Type.Object({
      identityCount: Type.Integer(),
      delegationCount: Type.Integer(),
      activeDelegations: Type.Integer(),
      capabilitiesSummary: words,
      skillsSummary: words,
    }),
  }),
  annotations: looksOnly,
  needs: ['profile'],

  async run(args, caller) {
    if (args.agentId === undefined && args.agentWallet === undefined && args.identityQHash === undefined)
      throw new AppError('VALIDATION_ERROR', 'the agent is missing: give agentId, agentWallet or identityQHash', {
        argument: 'agentId',
      })
    const { parts, identity, toolName } = caller
    const delegations = await listOwnDelegations(parts, identity)
    const attested = await findDelegation(args, caller, delegations)
    if (!attested) {
      // It could not be made either, where that is the case.
      requireOffered([agentIdentityId, agentDelegationId], parts)
      throw new ToolRefusal(
        'identity_not_found',
        'there is no agent-identity of this agent that the person can mount',
        {
          action: `call_${toolName('agent_create')}`,
          steps: [
            `Check the name with the person, or call ${toolName('agent_create')} to make the agent. ${toolName('context')} lists the agents of the person.`,
          ],
        },
      )
    }
    const agentWallet = String(attested.data.agentWallet)
    const granted = await listAgentDelegations(
      parts,
      delegations,
      attested.proof.account,
      String(attested.data.agentId),
    )
    const delegation = granted.find(({ isExpired }) => !isExpired) ?? granted[0]
    if (!isEvmAddress(agentWallet))
      throw new ToolRefusal('mount_incomplete', 'the wallet of the agent is not an EVM address, which runtimes need', {
        action: 'ask_the_person',
        steps: [
          'This agent cannot be mounted. Ask the person whether another agent, with an EVM wallet, shall do the work.',
        ],
      })
    if (!delegation && !(await identity.listAccounts()).some((own) => isProofOwner(attested.proof, own)))
      throw makeIncompleteError('the person has not delegated anything to this agent', caller)
    return makeRuntimeBundle({ attested, delegation, granted }, parts, identity, toolNames.map(toolName))
  },
})

function makeIncompleteError(why: string, { parts, toolName }: Caller): ToolRefusal {
  requireOffered([agentDelegationId], parts)
  return new ToolRefusal('mount_incomplete', why, {
    action: `call_${toolName('agent_create')}`,
    steps: [`Call ${toolName('agent_create')} with the agentId and agentWallet, after the person agreed.`],
  })
}

/** Every argument that is given must fit. By its id alone an agent is looked for among those of the person. */
async function findDelegation(
  args: Static<typeof Input>,
  { parts, identity }: Caller,
  delegations: readonly Delegated[],
): Promise<Attested | undefined> {
  const named = args.agentWallet === undefined ? undefined : requireNamed(args.agentWallet, 'agentWallet', parts)
  const fits = async ({ data, proof }: Attested): Promise<boolean> =>
    (args.agentId === undefined || data.agentId === args.agentId) &&
    (named === undefined || (await isAgent(parts, identity, named, proof)))
  if (args.identityQHash !== undefined) {
    const attested = await findIdentity(parts, identity, args.identityQHash)
    return attested && (await fits(attested)) ? attested : undefined
  }
  for (const agents of await listAgents(args.agentId, named, delegations, { parts, identity })) {
    const fitting = await filterInOrder(await findIdentities(parts, identity, agents), fits)
    const first = await findInOrder(agents, (one) =>
      isSomeInOrder(fitting, ({ proof }) => isAgent(parts, identity, one, proof)),
    )
    const attested = first && (await findInOrder(fitting, ({ proof }) => isAgent(parts, identity, first, proof)))
    if (attested) return findWhole(parts, attested)
  }
  return undefined
}

/** The wallets to search, in order: first those of delegations to this very agent, which have their own budget. */
async function listAgents(
  agentId: string | undefined,
  named: NamedAccount | undefined,
  delegations: readonly Delegated[],
  { parts, identity }: Pick<Caller, 'parts' | 'identity'>,
): Promise<NamedAccount[][]> {
  if (named !== undefined) return [[named]]
  const namesAgent = ({ data }: Delegated): boolean => data.agentId === agentId
  const read = ({ data }: Delegated): NamedAccount => readAgent(data, parts)
  const first = delegations.filter(namesAgent).map(read)
  const names = new Set(first.map(writeName))
  const own = (await identity.listAccounts()).map((account) => nameAccount(account, parts.config.signing.hubChainId))
  return [first, [...delegations.map(read), ...own].filter((one) => !names.has(writeName(one)))]
}
