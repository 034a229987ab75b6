/** The commands of the executable, in the order of --help. Each loads alone: most need little of what a server needs. */
import type { CommandEntry } from './command.ts'

export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Run the server. This is also what no command means.',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'demo',
    summary: 'Walk the whole way of a proof with a throw-away wallet, each step explained.',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'guide',
    summary: 'Print a guide; without a name, list the guides.',
    load: async () => (await import('./guide.ts')).guide,
  },
  {
    name: 'verify',
    summary: 'Check a portable proof offline.',
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    name: 'check-config',
    summary: 'Say what is wrong with the configuration, and which value comes from where.',
    load: async () => (await import('./check-config.ts')).checkConfigCommand,
  },
  {
    name: 'doctor',
    summary: 'Look at the data folder, try every chain, resolver and provider, and say what mends what fails.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'bundle',
    summary: 'Write what helps others to find a fault into one archive, without secrets.',
    load: async () => (await import('./bundle.ts')).bundle,
  },
  {
    name: 'compact',
    summary: 'Write the database anew without its free space, while no server runs.',
    load: async () => (await import('./compact.ts')).compactCommand,
  },
  {
    name: 'backup',
    summary: 'Make a backup of the data folder, also while the server runs.',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Put a backup in the place of the data folder, while no server runs.',
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'drill',
    summary: 'Restore the newest backup on trial, and say whether it would work.',
    load: async () => (await import('./drill.ts')).drill,
  },
  {
    name: 'sweep',
    summary: 'Clear away once what has expired, also while the server runs.',
    load: async () => (await import('./sweep.ts')).sweep,
  },
  {
    name: 'export',
    summary: 'Write everything of one person, or of the whole server, as lines of JSON.',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'import',
    summary: 'Bring an export, or portable proofs of another server, into this server.',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'move-domain',
    summary: 'Give this server other public addresses, and tell what that breaks.',
    load: async () => (await import('./move-domain.ts')).moveDomain,
  },
  {
    name: 'gates',
    summary: 'Gates as code: say what a policy file changes, apply it, test it, go back.',
    load: async () => (await import('./gates.ts')).gates,
  },
  {
    name: 'keys',
    summary: 'Access keys for servers and scripts that act for a wallet, and the key that signs tokens.',
    load: async () => (await import('./keys.ts')).keys,
  },
  {
    name: 'clients',
    summary: 'OAuth clients that registered themselves, such as assistants and editors.',
    load: async () => (await import('./clients.ts')).clients,
  },
  {
    name: 'operator',
    summary: 'Who is operator of this server, and a one-time link to become one.',
    load: async () => (await import('./operator.ts')).operator,
  },
  {
    name: 'sign',
    summary: 'Sign in, or sign a text, with a key in a file: for people and scripts without a wallet.',
    load: async () => (await import('./sign.ts')).sign,
  },
  {
    name: 'healthcheck',
    summary: 'Ask the server on this machine whether it is ready; for containers and supervisors.',
    load: async () => (await import('./healthcheck.ts')).healthcheck,
  },
  {
    name: 'version',
    summary: 'Print the version, or ask the publisher whether there is a newer one.',
    load: async () => (await import('./version.ts')).versionCommand,
  },
  {
    name: 'self-update',
    summary: 'Replace this executable by a newer release, or by the previous one.',
    load: async () => (await import('./self-update.ts')).selfUpdate,
  },
  {
    name: 'upgrade',
    summary: 'Try on a copy what the first start of this version does to the data folder.',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
]
