/** How many, when, and who may see it. */
import { gates as words } from '../../../words/en/gates.ts'
import { changeMembers, type Definition, type Finding } from './definition.ts'
import { MomentField, NumberField, SelectField, TextField, Tick, WordsField } from './fields.tsx'
import { findFault } from './preview.ts'

const omitEmpty = <T extends object>(value: T): T | undefined => (Object.keys(value).length > 0 ? value : undefined)

export function LimitsForm({
  definition,
  findings,
  onChange,
}: {
  readonly definition: Definition
  readonly findings: readonly Finding[]
  onChange(definition: Definition): void
}) {
  const { supply, perWallet, schedule = {}, policy = {}, listing, successReturnUrl = '', name } = definition
  const set = (changes: Partial<{ [Name in keyof Definition]: Definition[Name] | undefined }>) =>
    onChange(changeMembers(definition, changes))
  const visibility = policy.visibility ?? 'public'
  return (
    <>
      <div class="field-row">
        <NumberField
          label={words.fields.supply}
          optional
          hint="Then it is sold out."
          value={supply}
          error={findFault(findings, 'supply')}
          onChange={(value) => set({ supply: value })}
        />
        <NumberField
          label={words.fields.perWallet}
          optional
          hint="Each time with another proof."
          value={perWallet}
          error={findFault(findings, 'perWallet')}
          onChange={(value) => set({ perWallet: value })}
        />
      </div>
      <div class="field-row">
        <MomentField
          label="From"
          value={schedule.startsAt}
          error={findFault(findings, 'schedule.startsAt')}
          onChange={(startsAt) => set({ schedule: omitEmpty(changeMembers(schedule, { startsAt })) })}
        />
        <MomentField
          label="Until"
          value={schedule.endsAt}
          error={findFault(findings, 'schedule.endsAt') ?? findFault(findings, 'schedule')}
          onChange={(endsAt) => set({ schedule: omitEmpty(changeMembers(schedule, { endsAt })) })}
        />
      </div>
      <NumberField
        label="Proofs count for so many hours"
        optional
        hint="Older ones have to be made again."
        value={policy.gateFreshnessHours}
        error={findFault(findings, 'policy.gateFreshnessHours')}
        onChange={(gateFreshnessHours) => set({ policy: omitEmpty(changeMembers(policy, { gateFreshnessHours })) })}
      />
      <SelectField
        label="Who sees it"
        value={visibility}
        options={[
          ['public', 'Everybody'],
          ['unlisted', 'Whoever knows its id'],
          ['private', 'Nobody but me'],
        ]}
        onChange={(next) =>
          set({
            policy: omitEmpty(
              changeMembers(policy, { visibility: next === 'public' ? undefined : (next as 'unlisted') }),
            ),
            ...(next === 'public' ? {} : { listing: undefined }),
          })
        }
      />
      {visibility === 'public' && (
        <Tick
          label="Put it on public display"
          hint="Whoever asks this server for gates is shown it."
          checked={listing !== undefined}
          onChange={(isListed) => set({ listing: isListed ? { label: name || 'A gate' } : undefined })}
        />
      )}
      {listing && (
        <div class="field-row">
          <TextField
            label="Shown as"
            maxLength={200}
            value={listing.label}
            error={findFault(findings, 'listing.label') ?? findFault(findings, 'listing')}
            onChange={(label) => set({ listing: { ...listing, label } })}
          />
          <WordsField
            label="Tags"
            optional
            hint="Separated by commas."
            value={listing.tags ?? []}
            error={findFault(findings, 'listing.tags')}
            onChange={(tags) => set({ listing: changeMembers(listing, { tags: tags.length > 0 ? tags : undefined }) })}
          />
        </div>
      )}
      <TextField
        label="Where to go on afterwards"
        optional
        code
        hint="The address of a page of yours: https://…"
        value={successReturnUrl}
        error={findFault(findings, 'successReturnUrl')}
        onChange={(url) => set({ successReturnUrl: url.trim() || undefined })}
      />
    </>
  )
}
