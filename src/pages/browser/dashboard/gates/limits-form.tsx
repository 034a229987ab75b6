/** How many, when, and who may see it. */
import { gateForm as words } from '../../../words/en/gate-form.ts'
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
          hint={words.form.supplyHint}
          value={supply}
          error={findFault(findings, 'supply')}
          onChange={(value) => set({ supply: value })}
        />
        <NumberField
          label={words.fields.perWallet}
          optional
          hint={words.form.perWalletHint}
          value={perWallet}
          error={findFault(findings, 'perWallet')}
          onChange={(value) => set({ perWallet: value })}
        />
      </div>
      <div class="field-row">
        <MomentField
          label={words.fields['schedule.startsAt']}
          value={schedule.startsAt}
          error={findFault(findings, 'schedule.startsAt')}
          onChange={(startsAt) => set({ schedule: omitEmpty(changeMembers(schedule, { startsAt })) })}
        />
        <MomentField
          label={words.fields['schedule.endsAt']}
          value={schedule.endsAt}
          error={findFault(findings, 'schedule.endsAt') ?? findFault(findings, 'schedule')}
          onChange={(endsAt) => set({ schedule: omitEmpty(changeMembers(schedule, { endsAt })) })}
        />
      </div>
      <NumberField
        label={words.fields['policy.gateFreshnessHours']}
        optional
        hint={words.form.freshnessHint}
        value={policy.gateFreshnessHours}
        error={findFault(findings, 'policy.gateFreshnessHours')}
        onChange={(gateFreshnessHours) => set({ policy: omitEmpty(changeMembers(policy, { gateFreshnessHours })) })}
      />
      <SelectField
        label={words.fields['policy.visibility']}
        value={visibility}
        options={Object.entries(words.form.visibility)}
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
          label={words.fields.listing}
          hint={words.form.listHint}
          checked={listing !== undefined}
          onChange={(isListed) => set({ listing: isListed ? { label: name || words.form.unnamed } : undefined })}
        />
      )}
      {listing && (
        <div class="field-row">
          <TextField
            label={words.fields['listing.label']}
            maxLength={200}
            value={listing.label}
            error={findFault(findings, 'listing.label') ?? findFault(findings, 'listing')}
            onChange={(label) => set({ listing: { ...listing, label } })}
          />
          <WordsField
            label={words.fields['listing.tags']}
            optional
            hint={words.form.tagsHint}
            value={listing.tags ?? []}
            error={findFault(findings, 'listing.tags')}
            onChange={(tags) => set({ listing: changeMembers(listing, { tags: tags.length > 0 ? tags : undefined }) })}
          />
        </div>
      )}
      <TextField
        label={words.fields.successReturnUrl}
        optional
        code
        hint={words.form.returnHint}
        value={successReturnUrl}
        error={findFault(findings, 'successReturnUrl')}
        onChange={(url) => set({ successReturnUrl: url.trim() || undefined })}
      />
    </>
  )
}
