/** Makes gates, and what was handed out at them, from the lines of an export: SQL and nothing else. */
import { type Importer, isNewGate, isSameGate, sealAgain } from '../db/importing.ts'
import { summarizeDefinition } from './definition/summary.ts'
import type { KeptDefinition } from './gate.ts'
import { writeRewardsContext } from './store.ts'

const fromNewGate = `FROM gates g WHERE ${isNewGate}`

const gateHolder = 'SELECT 1 FROM gates g WHERE g.gate_id = $gateId'

export const selectNewestGate = 'SELECT coalesce(max(id), 0) AS id FROM gates'

const granted = "FROM fulfillments f WHERE f.gate = gates.id AND f.state = 'granted'"
const paid = `${granted} AND f.payment IS NOT NULL`

/**
 * The export of a seller counts what was given until then, without the buyers. What buyers bring may be later: a gate
 * counts at least what is on record.
 */
export const settleGates: readonly string[] = [
  `UPDATE gates SET guest_count = (SELECT count(*) FROM gate_guests l WHERE l.gate = gates.id) WHERE id > $newGates`,
  `UPDATE gates SET fulfilled_count = (SELECT count(*) ${granted}) WHERE fulfilled_count < (SELECT count(*) ${granted})`,
  `UPDATE gates SET paid_count = (SELECT count(*) ${paid}),
     paid_usd_micros = max(paid_usd_micros, (SELECT coalesce(sum(f.usd_micros), 0) ${paid}))
   WHERE paid_count < (SELECT count(*) ${paid})`,
]

/** Payments stand before what they bought. */
export const gateImporters: readonly Importer[] = [
  {
    name: 'gates',
    find: {
      sql: 'SELECT g.owner, g.created_at AS "createdAt" FROM gates g WHERE g.gate_id = $gateId',
      describe: ({ gateId }) => `the gate ${gateId}`,
    },
    insert: [
      `INSERT INTO gates (gate_id, owner, status, is_listed, version, fulfilled_count, paid_count, paid_usd_micros,
         guest_count, created_at, updated_at, archived_at)
       VALUES ($gateId, $owner, $status, $isListed, $version, $fulfilledCount, $paidCount, $paidUsdMicros,
         $guestCount, $createdAt, $updatedAt, $archivedAt)`,
    ],
  },
  {
    name: 'gate-versions',
    holder: gateHolder,
    insert: [
      `INSERT INTO gate_versions (gate, version, definition, rewards, author, created_at)
       SELECT g.id, $version, $definition, $sealedText, $author, $createdAt ${fromNewGate}`,
      // Lists show the newest version alone.
      `INSERT INTO gate_summaries (gate, version, definition_bytes, bytes, name, summary)
       SELECT g.id, $version, $definitionBytes, $definitionBytes + coalesce(length($sealedText), 0), $gateName,
         CASE WHEN g.version = $version THEN $summary END ${fromNewGate}`,
    ],
    derive: (line, tools) => {
      const definition = line.definition as KeptDefinition
      const { definition: short, isTruncated } = summarizeDefinition(definition)
      return {
        sealedText: sealAgain(
          line,
          line.rewards,
          writeRewardsContext(line.gateId as string, line.version as number),
          tools,
        ),
        definitionBytes: Buffer.byteLength(JSON.stringify(definition)),
        gateName: definition.name,
        summary: isTruncated ? JSON.stringify(short) : null,
      }
    },
  },
  {
    name: 'gate-guests',
    holder: gateHolder,
    insert: [
      `INSERT INTO gate_guests (gate, wallet, chain, added_at) SELECT g.id, $wallet, $chain, $addedAt ${fromNewGate}`,
    ],
  },
  {
    name: 'gate-appearances',
    holder: gateHolder,
    insert: [
      `INSERT INTO gate_appearances (gate, wallet, seller, color, media_type, width, height, bytes, digest, picture,
         created_at)
       SELECT g.id, g.owner, $seller, $color, $mediaType, $width, $height, $bytes, $digest, $picture, $createdAt
       ${fromNewGate}`,
    ],
  },
]

const sameGateHolder = `SELECT 1 FROM gates g WHERE ${isSameGate}`

export const purchaseImporters: readonly Importer[] = [
  {
    name: 'guest-passes',
    holder: sameGateHolder,
    find: {
      sql: `SELECT t.wallet FROM guest_passes t JOIN gates g ON g.id = t.gate
            WHERE t.pass = unhex(substr($pass, 3)) OR (t.wallet = $wallet AND g.gate_id = $gateId)`,
      describe: ({ wallet, gateId }) => `the pass of ${wallet} for ${gateId}`,
    },
    insert: [
      `INSERT INTO guest_passes (pass, gate, wallet, created_at, look_at)
       SELECT unhex(substr($pass, 3)), g.id, $wallet, $createdAt, $lookAt FROM gates g WHERE ${isSameGate}`,
    ],
  },
  {
    name: 'fulfillments',
    holder: sameGateHolder,
    find: {
      sql: `SELECT f.receipt_id AS "receiptId", f.wallet FROM fulfillments f JOIN gates g ON g.id = f.gate
            WHERE f.receipt_id = $receiptId OR (g.gate_id = $gateId AND f.q_hash = unhex(substr($qHash, 3)))`,
      describe: ({ receiptId }) => `the receipt ${receiptId}`,
    },
    insert: [
      `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at, owner,
         usd_micros)
       SELECT g.id, unhex(substr($qHash, 3)), $wallet, $version, $receiptId,
         (SELECT y.id FROM payments y WHERE y.identity = $payment), $state, $createdAt, $updatedAt, g.owner, $usdMicros
       FROM gates g WHERE ${isSameGate}`,
    ],
  },
]
