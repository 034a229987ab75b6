/**
 * Every event of the log. Names stay the same from version to version, while messages may change. A line that repeats
 * what was told a moment ago has the level debug. The guide monitoring.md has them as a table.
 */
import type { LogLevel } from './log-level.ts'

interface Described {
  readonly levels: readonly LogLevel[]
  readonly about: string
}

export const logEvents = {
  'traces-lost': { levels: ['warn'], about: 'Spans were not taken by the collector of traces.' },
  'tracing-misconfigured': { levels: ['warn'], about: 'A variable of OpenTelemetry is not used as it is set.' },
  'answer-given': { levels: ['info'], about: 'A request was answered (`log.access`).' },
  'credential-refused': { levels: ['warn'], about: 'A credential was refused (`log.refusals`).' },
  'rate-limited': { levels: ['warn'], about: 'A rate limit refused a request (`log.refusals`).' },
  'log-lines-lost': { levels: ['warn'], about: 'The disk of the log file did not take lines for a while.' },
  'log-reopened': { levels: ['info'], about: 'The log file was opened anew, after SIGUSR1.' },
  'refusals-untold': { levels: ['warn'], about: 'More refusals came than get a line of their own.' },
  'access-key-use-unstored': { levels: ['warn'], about: 'The last use of an access key was not stored.' },
  'backup-failed': { levels: ['error'], about: 'A backup could not be made.' },
  'backup-made': { levels: ['info'], about: 'A backup was made.' },
  'block-look-failed': {
    levels: ['error'],
    about: 'A look at the block of a proof failed by a fault of the program or the disk.',
  },
  'block-watch-failed': { levels: ['error'], about: 'The watch of blocks failed with the storage.' },
  'blocks-unreachable': { levels: ['warn'], about: 'The blocks of proofs cannot be looked at.' },
  'card-payment-bound': { levels: ['info'], about: 'A card payment was bound before its buyer came back.' },
  'card-payment-mismatched': {
    levels: ['error'],
    about: 'A card payment is not the one that was asked for, and bought nothing.',
  },
  'change-unstored': { levels: ['error'], about: 'A change of a request could not be stored.' },
  'checkout-abandoned': {
    levels: ['error'],
    about: 'A checkout is given up: its provider never said what became of it.',
  },
  'claim-undecided': { levels: ['warn'], about: 'No source could tell whether a claim holds.' },
  'clock-trusted': { levels: ['warn'], about: 'The clock of the machine is believed again.' },
  'clock-unstored': { levels: ['error'], about: 'The clock could not be stored.' },
  'commit-uncertain': { levels: ['debug'], about: 'It is unknown whether a commit is stored.' },
  'condition-began': {
    levels: ['error', 'warn'],
    about: 'A condition began, or stands for another minute. `condition` names it.',
  },
  'condition-ended': { levels: ['info'], about: 'A condition ended. `condition` names it.' },
  'dashboard-numbers-unstored': { levels: ['warn'], about: 'The numbers of the dashboard were not stored.' },
  'disk-hung': { levels: ['error'], about: 'The disk did not answer for so long that the server ends.' },
  'continuous-begun': {
    levels: ['info', 'warn'],
    about: 'The continuous backup began anew, with a backup of the whole.',
  },
  'drill-failed': { levels: ['error'], about: 'The newest backup could not be restored on trial.' },
  'drill-passed': {
    levels: ['info'],
    about: 'The newest backup was restored on trial, and everything in it is right.',
  },
  'erasure-failed': {
    levels: ['error'],
    about: 'An erasure could not be finished at the start. The sweep goes on with it.',
  },
  'erasure-interrupted': { levels: ['warn'], about: 'An erasure was interrupted, and goes on later.' },
  'erasure-progress': { levels: ['info'], about: 'A long erasure goes on.' },
  'erasure-resumed': { levels: ['info'], about: 'Erasures that were interrupted go on.' },
  'error-uncaught': { levels: ['error'], about: 'An error was caught nowhere: the server stops.' },
  'exit-unexpected': { levels: ['error'], about: 'The process ends without having been stopped.' },
  'faults-uncounted': { levels: ['error', 'warn', 'info'], about: 'More kinds of faults than are counted one by one.' },
  'gate-unpayable': { levels: ['warn'], about: 'A gate cannot be paid as it is set up.' },
  'library-output': { levels: ['error', 'warn', 'info', 'debug'], about: 'A library printed a line.' },
  'mcp-request-failed': { levels: ['error'], about: 'An MCP request failed by a fault of the program or the disk.' },
  'mcp-request-refused': { levels: ['debug'], about: 'The MCP library refused a request.' },
  'mcp-tool-failed': { levels: ['error'], about: 'A tool of the MCP endpoint failed.' },
  'metric-unread': { levels: ['warn'], about: 'A metric could not be read, and is left out of the page.' },
  'operator-link-unstored': { levels: ['error'], about: 'No link for an operator could be stored at the start.' },
  'outbox-failed': { levels: ['error'], about: 'The outbox failed with the storage.' },
  'owed-payment-reversed': { levels: ['warn'], about: 'A payment that is owed was taken back by its chain.' },
  'payment-look-failed': {
    levels: ['error'],
    about: 'A look at a payment failed by a fault of the program or the disk.',
  },
  'payment-refunded': { levels: ['info'], about: 'A payment was refunded, in part or in whole.' },
  'payment-restored': { levels: ['info'], about: 'A payment stands again, and what it paid for is given again.' },
  'payment-suspended': { levels: ['warn'], about: 'A payment was taken back, and what it paid for is suspended.' },
  'payment-unmatched': { levels: ['warn'], about: 'A payment arrived and bought nothing.' },
  'payment-unwatched': { levels: ['warn'], about: 'A payment is no longer watched, and could not be looked at last.' },
  'payment-watch-failed': { levels: ['error'], about: 'The watch of payments failed with the storage.' },
  'payments-unreachable': { levels: ['warn'], about: 'Payments, checkouts or settlements cannot be looked at.' },
  'proof-restored': { levels: ['warn'], about: 'A proof counts again: its claim holds at a newer block.' },
  'proof-revoked': {
    levels: ['warn'],
    about: 'A proof was revoked, because its block was replaced and the claim did not hold again.',
  },
  'proof-suspended': { levels: ['warn'], about: 'A proof counts no longer, because its block was replaced.' },
  'proof-unfollowed': {
    levels: ['warn'],
    about: 'A proof is no longer followed, because its chain did not say which block is final.',
  },
  'provider-key-refused': { levels: ['error'], about: 'A provider refuses the key of this server.' },
  'publishing-failed': { levels: ['error'], about: 'Publishing failed by a fault of the program or the disk.' },
  'publishing-resumed': { levels: ['info'], about: 'Publishing on a chain goes on.' },
  'publishing-waits': { levels: ['warn'], about: 'Publishing waits for a chain or for money.' },
  'ready-fd-refused': {
    levels: ['warn'],
    about: 'The line that says ready could not be written to the descriptor of --ready-fd.',
  },
  'refresh-token-reused': { levels: ['warn'], about: 'A refresh token was used twice, and its grant ended.' },
  'refund-failed': { levels: ['info'], about: 'A refund failed later: less is given back.' },
  'refund-impossible': { levels: ['error'], about: 'This server cannot refund a payment: its seller owes it.' },
  'refund-waits': { levels: ['warn'], about: 'A payment is not refunded yet.' },
  'rejection-unhandled': { levels: ['error'], about: 'Work failed that nobody waits for.' },
  'request-crashed': { levels: ['error'], about: 'A request failed before it could be answered.' },
  'request-failed': {
    levels: ['error'],
    about: 'A request failed by a fault of the program, and was answered with 500.',
  },
  'reward-unreadable': { levels: ['error'], about: 'A reward could not be opened with the master key.' },
  'run-unmarked': { levels: ['warn'], about: 'No mark of this run could be left in the data folder.' },
  'runtime-warning': { levels: ['warn'], about: 'The runtime warns.' },
  'server-silent': { levels: ['warn'], about: 'The server answered nobody for a while.' },
  'server-stopped': { levels: ['info'], about: 'The server stopped in order.' },
  'service-manager-unreached': { levels: ['warn'], about: 'The service manager cannot be told how the server is.' },
  'session-use-unstored': { levels: ['warn'], about: 'The last use of a session was not stored.' },
  'settlement-concluded': {
    levels: ['info'],
    about: 'A payment that was settled and not bound has its fulfillment now.',
  },
  'settlement-lost': {
    levels: ['error'],
    about: 'A signed payment was used, and its transaction was not found.',
  },
  'settlement-unseen': {
    levels: ['warn'],
    about: 'A facilitator says that a payment was sent, and the chain does not show it yet.',
  },
  'signal-ignored': { levels: ['warn'], about: 'A signal came and changes nothing.' },
  'signal-received': { levels: ['warn', 'info'], about: 'A signal came, and the server stops.' },
  'signing-key-retired': {
    levels: ['error'],
    about: 'A signing key cannot be opened with the master key, and is used no more.',
  },
  'snapshot-unpinned': { levels: ['warn'], about: 'A snapshot could not be pinned on IPFS.' },
  'social-sign-in-failed': { levels: ['warn'], about: 'A sign-in at another provider could not be finished.' },
  'social-sign-in-refused': { levels: ['warn'], about: 'Another provider refused a sign-in.' },
  'start-failed': { levels: ['error'], about: 'The server could not start.' },
  'stop-cut-off': { levels: ['error'], about: 'The stop took too long and is cut off.' },
  'stop-cut-short': { levels: ['warn'], about: 'A second signal ends the server at once.' },
  'stop-failed': { levels: ['error'], about: 'The server could not stop in order.' },
  'sweep-done': { levels: ['debug'], about: 'A sweep ended, with what it deleted.' },
  'sweep-failed': { levels: ['error'], about: 'A sweep failed.' },
  'sweep-skipped': { levels: ['warn'], about: 'A sweep was left out.' },
  'upgrade-loss': { levels: ['warn'], about: 'The next migration loses something, said in advance.' },
  'upkeep-failed': { levels: ['warn'], about: 'The upkeep of the database failed, and is tried again.' },
  'watchdog-ended': { levels: ['warn'], about: 'The thread ended that watches the main one.' },
  'upgrade-backed-up': { levels: ['info'], about: 'The database was copied before a new version changes its form.' },
} as const satisfies Record<string, Described>

export type LogEvent = keyof typeof logEvents
