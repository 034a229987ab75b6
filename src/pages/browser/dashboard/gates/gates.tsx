/** The gates of the person: what each is, how it does, and what can be done with it. */

import { useState } from 'preact/hooks'
import { guestListId, hasGuestList } from '../../../../gates/guests/guest-list.ts'
import { dashboard } from '../../../words/en/dashboard.ts'
import { gates as words } from '../../../words/en/gates.ts'
import { formatCount } from '../../locale.ts'
import { Copyable } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { useAction, useLoad } from '../load.ts'
import { model, session } from '../model.ts'
import { Command, Empty, Heading, Link, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { blankGate, type GateStatus, type OwnGate } from './definition.ts'
import { nameField } from './field-names.ts'
import { Refused } from './finding-list.tsx'
import { writeFinding } from './finding-words.ts'
import { fewGates, GateTools, selectGates, wantsAll } from './gate-list.tsx'
import { Share } from './share.tsx'

interface Answer {
  readonly data: { readonly gates: readonly OwnGate[] }
}

export const gatesPath = '/api/v1/profile/gates'
const gatePath = (gateId: string): string => `${gatesPath}/${encodeURIComponent(gateId)}`

export function Gates() {
  const loaded = useLoad<Answer>(gatesPath)
  const gates = loaded.data?.data.gates
  const [sharing, setSharing] = useState<OwnGate>()
  const [removing, setRemoving] = useState<OwnGate>()
  const [archiving, setArchiving] = useState<OwnGate>()
  const [wanted, setWanted] = useState(wantsAll)
  const [refused, setRefused] = useState(blankGate)
  const shown = selectGates(gates ?? [], wanted)

  const put = (gateId: string, change: (gate: OwnGate) => OwnGate | undefined): void =>
    loaded.set((answer) => ({
      ...answer,
      data: { gates: answer.data.gates.flatMap((gate) => (gate.gateId === gateId ? (change(gate) ?? []) : gate)) },
    }))
  const setStatus = useAction(async (gate: OwnGate, status: GateStatus) => {
    put(gate.gateId, (one) => ({ ...one, status }))
    try {
      await callApi('POST', `${gatePath(gate.gateId)}/status`, { body: { status } })
    } catch (error) {
      put(gate.gateId, (one) => ({ ...one, status: gate.status }))
      setRefused(gate.definition)
      throw error
    }
  })

  const setArchived = async ({ gateId }: OwnGate, archived: boolean): Promise<void> => {
    await callApi('POST', `${gatePath(gateId)}/archive`, { body: { archived } })
    put(gateId, (one) => ({ ...one, archived }))
    toast(archived ? words.archive.done : words.archive.undone)
  }
  const bringBack = useAction((gate: OwnGate) => setArchived(gate, false))
  const hasArchived = gates?.some(({ archived }) => archived) ?? false
  const isEachArchived = gates?.every(({ archived }) => archived) ?? false

  return (
    <>
      <Heading title={words.list.title} lead={words.list.lead}>
        {gates !== undefined && gates.length > 0 && (
          <Link class="button" to="/gates/new">
            {words.list.add}
          </Link>
        )}
      </Heading>
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      <Refused error={setStatus.error} definition={refused} />
      <Problem error={bringBack.error} />
      {gates === undefined && loaded.isLoading && <Waiting what={words.list.loading} />}
      {gates?.length === 0 && <NoGates />}
      {gates !== undefined && (gates.length > fewGates || hasArchived || wanted !== wantsAll) && (
        <GateTools wanted={wanted} onChange={setWanted} />
      )}
      {gates !== undefined && gates.length > 0 && (
        <p class="quiet" role="status">
          {shown.length > 0
            ? ''
            : isEachArchived && wanted === wantsAll
              ? words.archive.allArchived
              : words.list.noMatch}
        </p>
      )}
      {shown.length > 0 && (
        <ul class="list gates" aria-label={words.list.label}>
          {shown.map((gate) => (
            <li key={gate.gateId}>
              <Row gate={gate} />
              <div class="row-actions">
                {gate.status === 'active' ? (
                  <button type="button" class="link" onClick={() => void setStatus.run(gate, 'paused')}>
                    {words.list.pause} <Named gate={gate} />
                  </button>
                ) : (
                  <button type="button" class="link" onClick={() => void setStatus.run(gate, 'active')}>
                    {gate.status === 'draft' ? words.list.publish : words.list.activate} <Named gate={gate} />
                  </button>
                )}
                <button type="button" class="link" onClick={() => setSharing(gate)}>
                  {words.list.share} <Named gate={gate} />
                </button>
                <button
                  type="button"
                  class="link"
                  onClick={() => (gate.archived ? void bringBack.run(gate) : setArchiving(gate))}
                >
                  {gate.archived ? words.archive.undo : words.archive.do} <Named gate={gate} />
                </button>
                <button type="button" class="link" onClick={() => setRemoving(gate)}>
                  {words.list.remove} <Named gate={gate} />
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {sharing && <Share gate={sharing} onClose={() => setSharing(undefined)} />}
      {archiving && (
        <Confirm
          title={words.archive.title}
          yes={words.archive.yes}
          danger={false}
          onYes={() => setArchived(archiving, true)}
          onClose={() => setArchiving(undefined)}
        >
          <p>{words.archive.effect(<bdi>{archiving.name}</bdi>)}</p>
          <p>{archiving.status === 'active' ? words.archive.staysActive : words.archive.staysClosed}</p>
        </Confirm>
      )}
      {removing && (
        <Confirm
          title={words.list.removeTitle}
          yes={words.list.removeYes}
          onYes={async () => {
            await callApi('DELETE', gatePath(removing.gateId))
            put(removing.gateId, () => undefined)
            toast(words.list.removed)
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{words.list.removeEffect(<bdi>{removing.name}</bdi>)}</p>
          <p>{words.list.removeUndo(<code>{removing.gateId}</code>)}</p>
        </Confirm>
      )}
    </>
  )
}

/** So that buttons of different rows do not sound the same. */
const Named = ({ gate }: { readonly gate: OwnGate }) => <span class="visually-hidden">{gate.name}</span>

const kinds = { draft: 'info', active: 'good', paused: 'warning', deleted: 'bad' } as const
export const StatusTag = ({ status }: { readonly status: GateStatus }) => (
  <Tag kind={kinds[status]}>{words.statuses[status]}</Tag>
)

function Row({ gate }: { readonly gate: OwnGate }) {
  const { gateId, name, status, archived, version, fulfilledCount, guestCount, definition, findings, updatedAt } = gate
  const { price, supply } = definition
  return (
    <div class="list-text">
      <p class="gate-name">
        <Link to={`/gates/${gateId}`}>
          <bdi>{name}</bdi>
        </Link>{' '}
        <StatusTag status={status} />
        {archived && (
          <>
            {' '}
            <Tag kind="info">{words.archive.tag}</Tag>
          </>
        )}
      </p>
      <p class="gate-facts">
        <span class="gate-fact">
          <Copyable text={gateId} />
        </span>
        <span class="gate-fact">{price ? words.list.price(price.amountUsd) : words.list.free}</span>
        <span class="gate-fact">
          {words.list.passes(
            fulfilledCount,
            formatCount(fulfilledCount),
            typeof supply === 'number' ? formatCount(supply) : undefined,
          )}
        </span>
        <span class="gate-fact">{words.list.version(version, <Time at={updatedAt} />)}</span>
      </p>
      {guestCount === 0 && hasGuestList(definition) && <p class="gate-finding">{words.share.noGuests}</p>}
      {findings.map((finding) => (
        <p key={finding.path} class="gate-finding">
          <strong>
            <bdi>{nameField(finding.path, definition)}</bdi>
          </strong>{' '}
          {writeFinding(finding)}
        </p>
      ))}
    </div>
  )
}

/** Works where the executable runs: the gate, and its guests, with the owner as the first of them. */
const writeCommand = (owner: string): string => `cat > gates.toml <<'END'
owner = "${owner}"

[[gates]]
gate_id = "guests"
name = "The guest list"
requirements = [{ verifier_id = "${guestListId}" }]
rewards = [{ kind = "access_granted", label = "Come in" }]
END
cat > guests.txt <<'END'
${owner}
END
${model.program} gates apply gates.toml --yes
${model.program} gates guests guests guests.txt --yes`

function NoGates() {
  const owner = session.accounts[0]
  return (
    <Empty title={words.list.none}>
      <p>{words.list.noneLead}</p>
      <p class="actions">
        <Link class="button" to="/gates/new">
          {words.list.first}
        </Link>
      </p>
      <details>
        <summary>{words.list.files}</summary>
        <div class="details-body">
          <p class="quiet">{words.list.filesLead}</p>
          <Command
            text={writeCommand(owner?.contractOn ? `${owner.contractOn}:${owner.wallet}` : (owner?.wallet ?? ''))}
            label={dashboard.copyCommand}
          />
        </div>
      </details>
    </Empty>
  )
}
