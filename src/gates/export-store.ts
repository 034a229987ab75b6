/** The lines of gates, and of what was handed out at them, for an export: SQL and nothing else. */
import { standsFulfillment, standsPass } from '../db/erasing.ts'
import { type Exporter, makeExporter, ownAccounts } from '../db/exporting.ts'
import { compose, pick, pickHash, pickOptional } from '../db/query.ts'
import { writeRewardsContext } from './store.ts'

const isOwn = `g.owner IN (${ownAccounts})`
const gateId = pick('gates g', 'gateId')
/** With when it was made: another server may have another gate of that name. */
const gateOf = pick('gates g', 'gateId', { gateCreatedAt: 'createdAt' })

export const gateExporters: readonly Exporter[] = [
  makeExporter({
    name: 'gates',
    tables: ['gates'],
    select: compose`
      SELECT ${pick('gates g', 'gateId', 'owner', 'status', 'isListed', 'version', 'fulfilledCount', 'paidCount', 'paidUsdMicros', 'guestCount', 'createdAt', 'updatedAt', 'archivedAt')}
      FROM gates g`,
    order: 'g.id',
    own: isOwn,
  }),
  makeExporter({
    name: 'gate-versions',
    tables: ['gate_versions'],
    select: compose`
      SELECT ${gateId}, ${pick('gate_versions v', 'version', 'author', 'createdAt', 'definition', { sealed: 'rewards' })}
      FROM gate_versions v JOIN gates g ON g.id = v.gate`,
    order: 'v.gate, v.version',
    own: isOwn,
    json: ['definition'],
    opens: {
      field: 'rewards',
      isJson: true,
      writeContext: ({ gateId: id, version }) => writeRewardsContext(id, version),
    },
  }),
  makeExporter({
    name: 'gate-guests',
    tables: ['gate_guests'],
    select: compose`
      SELECT ${gateId}, ${pick('gate_guests t', 'wallet', 'chain', 'addedAt')}
      FROM gate_guests t JOIN gates g ON g.id = t.gate`,
    order: 't.gate, t.wallet, t.chain',
    own: isOwn,
  }),
  makeExporter({
    name: 'gate-appearances',
    tables: ['gate_appearances'],
    select: compose`
      SELECT ${gateId}, ${pick('gate_appearances l', 'seller', 'color', 'mediaType', 'width', 'height', 'bytes', 'digest', 'picture', 'createdAt')}
      FROM gate_appearances l JOIN gates g ON g.id = l.gate`,
    order: 'l.gate',
    own: isOwn,
  }),
  makeExporter({
    name: 'guest-passes',
    tables: ['guest_passes'],
    select: compose`
      SELECT ${gateOf}, ${pickHash('guest_passes t', 'pass')}, ${pick('guest_passes t', 'wallet', 'createdAt', 'lookAt')}
      FROM guest_passes t JOIN gates g ON g.id = t.gate`,
    order: 't.gate, t.wallet',
    stands: standsPass('t'),
    own: `t.wallet IN (${ownAccounts})`,
  }),
  makeExporter({
    name: 'fulfillments',
    tables: ['fulfillments'],
    select: compose`
      SELECT ${pick('fulfillments f', 'receiptId')}, ${gateOf}, ${pickHash('fulfillments f', 'qHash')},
        ${pick('fulfillments f', 'wallet', 'version', 'state', 'usdMicros', 'createdAt', 'updatedAt')},
        ${pickOptional('payments y', { payment: 'identity' })}
      FROM fulfillments f JOIN gates g ON g.id = f.gate LEFT JOIN payments y ON y.id = f.payment`,
    order: 'f.id',
    stands: standsFulfillment('f'),
    own: `f.wallet IN (${ownAccounts})`,
  }),
  makeExporter({
    // The seller's view of the same rows, which tells nothing of the buyers.
    name: 'sales',
    tables: ['fulfillments'],
    only: 'person',
    select: compose`
      SELECT ${gateId}, ${pick('fulfillments f', 'version', 'state', 'usdMicros', 'createdAt', 'updatedAt')}
      FROM fulfillments f JOIN gates g ON g.id = f.gate`,
    order: 'f.id',
    stands: standsFulfillment('f'),
    own: isOwn,
  }),
]
