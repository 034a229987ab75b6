/** `proofgate keys`: access keys of people, and the key of the server itself. Works on the data folder, whether a server runs on it or not. */
import type { Command } from './command.ts'
import { createAccessKey, listAccessKeys, revokeAccessKey } from './keys-access.ts'
import { rotateKey } from './keys-rotate.ts'
import { runStep, type Step } from './steps.ts'

/** Each in a file of its own, with its options. */
const steps: Readonly<Record<string, Step>> = {
  create: createAccessKey,
  list: listAccessKeys,
  revoke: revokeAccessKey,
  rotate: rotateKey,
}

export const keys: Command = {
  run: async (args, terminal) => runStep('keys', steps, args, terminal),
}
