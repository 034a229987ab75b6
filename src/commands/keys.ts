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
  usage: 'create --wallet WALLET, list, revoke KEYID, rotate',
  help: [
    '  create --wallet WALLET   make a key for the person whose wallet this is, and print it; it is shown',
    '                           this once',
    '         --name NAME       what it is called in lists',
    '         --scopes A,B      of core, profile, secrets; all when left out',
    '  list                     all keys, or those of --wallet: the newest 500',
    '         --before KEYID    the 500 before that one',
    '  revoke KEYID             the key stops working at once, and what it made ends: list says how much',
    '  rotate                   make a new key that signs the access tokens of OAuth clients; nobody is',
    '                           signed out',
    '',
    '  --config FILE            configuration; without it proofgate.toml beside the data folder, if there',
    '                           is one',
    '  --json                   one line of JSON',
    '',
    'WALLET is an address, its did:pkh, or for a contract wallet its CAIP-10 id (eip155:8453:0x…).',
    'Programs send the key as Authorization: Bearer npk_… Standard output of create is the key alone.',
    'Works beside a running server, which knows a change at once. Run it as the user of the server, with',
    'the same data folder and the same PROOFGATE_MASTER_KEY, if that is set.',
    'Exit codes: 0 done, 2 wrong call, 69 data folder not available, 74 its disk does not answer, 78',
    'wrong configuration.',
  ],

  run: async (args, terminal) => runStep('keys', steps, args, terminal),
}
