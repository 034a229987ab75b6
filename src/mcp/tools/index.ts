/** The tools of the MCP server. To add one: write its file, add it here and its name in tool.ts. */
import type { Tool } from '../tool.ts'
import { agentCreate } from './agent-create.ts'
import { agentLink } from './agent-link.ts'
import { agentMount } from './agent-mount.ts'
import { context } from './context.ts'
import { proofsCheck } from './proofs-check.ts'
import { proofsGet } from './proofs-get.ts'
import { secretCreate } from './secret-create.ts'
import { secretList } from './secret-list.ts'
import { secretRevoke } from './secret-revoke.ts'
import { verifiersCatalog } from './verifiers-catalog.ts'
import { verify } from './verify.ts'
import { verifyOrGuide } from './verify-or-guide.ts'

export const tools: readonly Tool[] = [
  context,
  verifiersCatalog,
  proofsCheck,
  verifyOrGuide,
  verify,
  proofsGet,
  agentCreate,
  agentLink,
  agentMount,
  secretCreate,
  secretList,
  secretRevoke,
]

/** The description of this server that a host may give its model before any tool call. */
export const writeInstructions = (brand: string): string =>
  `Proofgate turns wallet-signed claims into portable proofs, and proofs into access. You act for the person who signed in. Start with ${brand}_context. Check before you ask (${brand}_proofs_check, ${brand}_verify_or_guide), and tell the person before you claim anything in their name (${brand}_verify). Never ask for private keys or seed phrases.`
