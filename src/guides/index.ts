/** Every guide, in the order of the table of contents. To add one: write its file, import it, list it in a group. */
import assistants from './assistants.md' with { type: 'text' }
import backups from './backups.md' with { type: 'text' }
import chains from './chains.md' with { type: 'text' }
import changingAddresses from './changing-addresses.md' with { type: 'text' }
import checks from './checks.md' with { type: 'text' }
import client from './client.md' with { type: 'text' }
import contentModeration from './content-moderation.md' with { type: 'text' }
import contributing from './contributing.md' with { type: 'text' }
import dashboard from './dashboard.md' with { type: 'text' }
import { decisions as everyDecision } from './decisions/index.ts'
import domains from './domains.md' with { type: 'text' }
import errors from './errors.md' with { type: 'text' }
import executable from './executable.md' with { type: 'text' }
import exporting from './exporting.md' with { type: 'text' }
import faults from './faults.md' with { type: 'text' }
import gates from './gates.md' with { type: 'text' }
import handOver from './hand-over.md' with { type: 'text' }
import hostedPages from './hosted-pages.md' with { type: 'text' }
import limits from './limits.md' with { type: 'text' }
import monitoring from './monitoring.md' with { type: 'text' }
import moving from './moving.md' with { type: 'text' }
import network from './network.md' with { type: 'text' }
import operators from './operators.md' with { type: 'text' }
import packages from './packages.md' with { type: 'text' }
import payments from './payments.md' with { type: 'text' }
import proofOfHuman from './proof-of-human.md' with { type: 'text' }
import proofs from './proofs.md' with { type: 'text' }
import proxy from './proxy.md' with { type: 'text' }
import publishing from './publishing.md' with { type: 'text' }
import reading from './reading.md' with { type: 'text' }
import revoking from './revoking.md' with { type: 'text' }
import settings from './settings.md' with { type: 'text' }
import severalMachines from './several-machines.md' with { type: 'text' }
import signIn from './sign-in.md' with { type: 'text' }
import signatures from './signatures.md' with { type: 'text' }
import signedText from './signed-text.md' with { type: 'text' }
import social from './social.md' with { type: 'text' }
import stored from './stored.md' with { type: 'text' }
import support from './support.md' with { type: 'text' }
import upgrading from './upgrading.md' with { type: 'text' }
import verifiers from './verifiers.md' with { type: 'text' }
import verifyingOffline from './verifying-offline.md' with { type: 'text' }
import walletRisk from './wallet-risk.md' with { type: 'text' }
import widget from './widget.md' with { type: 'text' }
import wire from './wire.md' with { type: 'text' }

export interface Guide {
  /** The file name without `.md`, and the last part of the address `/docs/guides/<name>`. */
  readonly name: string
  /** One line for lists: what the reader can do afterwards. At most 90 characters. */
  readonly summary: string
  readonly markdown: string
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
}

/** Groups without a guide are left out of every list. */
export const guideGroups: readonly GuideGroup[] = [
  { title: 'Start', guides: [] },
  {
    title: 'Proofs',
    guides: [
      {
        name: 'proofs',
        summary: 'Make a proof with two requests and one signature, from any language',
        markdown: proofs,
      },
      { name: 'client', summary: 'Make, read and check proofs from JavaScript with one call each', markdown: client },
      {
        name: 'reading',
        summary: 'Read, list and share proofs, and see what strangers see of them',
        markdown: reading,
      },
      { name: 'revoking', summary: 'Revoke a proof, key, app or wallet, and erase everything', markdown: revoking },
      {
        name: 'verifying-offline',
        summary: 'Check a proof without the server that made it',
        markdown: verifyingOffline,
      },
      {
        name: 'signatures',
        summary: 'Which texts a wallet signs, and how often each one counts',
        markdown: signatures,
      },
      { name: 'publishing', summary: 'Record proofs on chains, and pin snapshots on IPFS', markdown: publishing },
    ],
  },
  {
    title: 'Verifiers',
    guides: [
      { name: 'verifiers', summary: 'What each verifier says, and how to switch it on and off', markdown: verifiers },
      { name: 'chains', summary: 'Prove NFTs, tokens and control of contracts, as the chain says', markdown: chains },
      { name: 'domains', summary: 'Prove that a domain belongs to a wallet', markdown: domains },
      {
        name: 'social',
        summary: 'Prove an account at GitHub, X or others, or membership in an organization',
        markdown: social,
      },
      { name: 'proof-of-human', summary: 'Prove that one person stands behind a wallet', markdown: proofOfHuman },
      { name: 'wallet-risk', summary: 'Prove that nothing speaks against a wallet', markdown: walletRisk },
      {
        name: 'content-moderation',
        summary: 'Prove that a moderator flags nothing in a text or an image',
        markdown: contentModeration,
      },
    ],
  },
  {
    title: 'Gates',
    guides: [
      { name: 'gates', summary: 'Say which proofs let somebody in, and hand out a reward', markdown: gates },
      { name: 'checks', summary: 'Ask whether a wallet may pass, and read the answer', markdown: checks },
      { name: 'payments', summary: 'Sell access, and know what happens to each payment', markdown: payments },
    ],
  },
  {
    title: 'Pages',
    guides: [
      { name: 'sign-in', summary: 'Sign in with a wallet, and make access keys for servers', markdown: signIn },
      { name: 'dashboard', summary: 'Find your proofs, gates, payments and keys in one place', markdown: dashboard },
      { name: 'assistants', summary: 'Connect an AI assistant, or write a client of your own', markdown: assistants },
      { name: 'hosted-pages', summary: 'Send people to a link to make proofs and pass gates', markdown: hostedPages },
      { name: 'widget', summary: 'Put a gate and badges into any page', markdown: widget },
      { name: 'hand-over', summary: 'Let your server learn who came from the hosted pages', markdown: handOver },
    ],
  },
  {
    title: 'Operating',
    guides: [
      { name: 'network', summary: 'Which hosts, pages and proxies may reach this server', markdown: network },
      { name: 'faults', summary: 'Recognize faults of disk, clock and network, and mend them', markdown: faults },
      { name: 'operators', summary: 'See the health, limits, audit log and metrics of a server', markdown: operators },
      { name: 'backups', summary: 'Make backups, try them before they are needed, and restore one', markdown: backups },
      { name: 'monitoring', summary: 'Watch a server with Prometheus, logs and traces', markdown: monitoring },
      { name: 'proxy', summary: 'Put a server on the internet, behind a proxy with TLS', markdown: proxy },
      {
        name: 'packages',
        summary: 'Install a Debian package, a service of systemd or a container',
        markdown: packages,
      },
      { name: 'executable', summary: 'Build one file, and see every command', markdown: executable },
      { name: 'support', summary: 'Find what is wrong, and hand the facts to whoever helps', markdown: support },
      { name: 'upgrading', summary: 'Find, verify, try and install a newer version, and go back', markdown: upgrading },
      {
        name: 'several-machines',
        summary: 'Let several servers share one PostgreSQL, so that any machine may fail',
        markdown: severalMachines,
      },
      { name: 'stored', summary: 'Know what the data folder holds, and back it up', markdown: stored },
      {
        name: 'exporting',
        summary: 'Move everything of one person, or of the whole server, to another server',
        markdown: exporting,
      },
      {
        name: 'changing-addresses',
        summary: 'Give a running server another domain, and know before what breaks',
        markdown: changingAddresses,
      },
      { name: 'moving', summary: 'Use clients of a hosted service with your own server', markdown: moving },
    ],
  },
  {
    title: 'Reference',
    guides: [
      { name: 'errors', summary: 'Every error code, and what to do about it', markdown: errors },
      { name: 'limits', summary: 'Every bound on size, rate and work', markdown: limits },
      { name: 'wire', summary: 'The interface: signed texts, ids, requests and answers', markdown: wire },
      { name: 'settings', summary: 'Every setting, its default and where it is read from', markdown: settings },
      {
        name: 'signed-text',
        summary: 'Which text can be signed, and the texts of owner actions',
        markdown: signedText,
      },
    ],
  },
  {
    title: 'Contributing',
    guides: [
      {
        name: 'contributing',
        summary: 'Find your way in the code, run the tests, and make five common changes',
        markdown: contributing,
      },
    ],
  },
]

/** A decision's title says what was decided, so it needs no summary. */
export type Decision = Omit<Guide, 'summary'>

/** One file each in decisions/: context, decision, consequences. */
export const decisions: readonly Decision[] = everyDecision
