/** The names under which an agent is found without knowing its signer: columns of its proofs, when they are listed. */
import { agentDelegationId, agentIdentityId } from '../verifiers/roles.ts'
import type { ProofRecord } from './record.ts'
import { type Visibility, visibilities } from './visibility.ts'

export interface AgentNames {
  /** How it calls itself, in agent-identity. */
  readonly agentId: string | null
  /** The wallet of the agent that may act, in agent-delegation. */
  readonly grantedTo: string | null
}

export function readAgentNames({ rows }: Pick<ProofRecord, 'rows'>, visibility: Visibility): AgentNames {
  const readNamed = (id: string, member: string): string | null => {
    if (visibility !== visibilities.listed) return null
    const value = rows.find(({ verifierId, verified }) => verifierId === id && verified)?.data[member]
    return typeof value === 'string' ? value : null
  }
  return { agentId: readNamed(agentIdentityId, 'agentId'), grantedTo: readNamed(agentDelegationId, 'agentWallet') }
}
