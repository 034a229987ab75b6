/** The forms of a gate, one after the other. */

import { nameRequirement } from '../../../../gates/definition/rule.ts'
import { gateForm as words } from '../../../words/en/gate-form.ts'
import type { Catalog } from './catalog.ts'
import {
  adaptMoment,
  changeMembers,
  type Definition,
  type Finding,
  freeId,
  type Reward,
  removeAt,
  replaceAt,
} from './definition.ts'
import { SelectField, TextField } from './fields.tsx'
import { writeFinding } from './finding-words.ts'
import { LimitsForm } from './limits-form.tsx'
import { findFault } from './preview.ts'
import { PriceForm } from './price-form.tsx'
import { RequirementForm } from './requirement-form.tsx'
import { RewardForm } from './reward-form.tsx'
import { extendRule, keepRule, RuleForm } from './rule-form.tsx'

export function GateForm({
  definition,
  isNew,
  catalog,
  findings,
  onChange,
}: {
  readonly definition: Definition
  readonly isNew: boolean
  readonly catalog: Catalog
  readonly findings: readonly Finding[]
  onChange(definition: Definition): void
}) {
  const { gateId, name, description = '', requirements, rewards = [], status = 'active', price } = definition
  const set = (changes: Partial<{ [Name in keyof Definition]: Definition[Name] | undefined }>) =>
    onChange(changeMembers(definition, changes))
  const setRewards = (next: readonly Reward[]) =>
    onChange(adaptMoment(changeMembers(definition, { rewards: next.length > 0 ? next : undefined }), rewards))

  const addRequirement = () => {
    const id = freeId(requirements)
    set({ requirements: [...requirements, { id, verifierId: '' }], rule: extendRule(definition, id) })
  }
  const removeRequirement = (at: number) => {
    // Given now, because the others would move up and be called otherwise.
    const named = requirements.map((one, index) => ({ ...one, id: nameRequirement(one, index) }))
    const left = removeAt(named, at)
    set({ requirements: left, rule: keepRule(definition.rule, left.map(nameRequirement)) })
  }
  const rename = (text: string) =>
    set({ name: text, ...(isNew && gateId === suggestId(name) ? { gateId: suggestId(text) } : {}) })

  return (
    <div class="gate-form">
      <section class="gate-part" aria-labelledby="form-what">
        <h2 class="bench-title" id="form-what">
          {words.form.what}
        </h2>
        <TextField
          label={words.fields.name}
          value={name}
          maxLength={200}
          error={findFault(findings, 'name')}
          onChange={rename}
        />
        {isNew && (
          <TextField
            label={words.fields.gateId}
            code
            hint={words.form.id}
            value={gateId}
            maxLength={80}
            error={findFault(findings, 'gateId')}
            onChange={(text) => set({ gateId: text.trim() })}
          />
        )}
        <TextField
          label={words.fields.description}
          optional
          rows={3}
          maxLength={2000}
          value={description}
          error={findFault(findings, 'description')}
          onChange={(text) => set({ description: text || undefined })}
        />
        <SelectField
          label={words.fields.status}
          value={status}
          options={Object.entries(words.form.states)}
          onChange={(next) => set({ status: next as 'active' })}
        />
      </section>
      <section class="gate-part" aria-labelledby="form-who">
        <h2 class="bench-title" id="form-who">
          {words.fields.requirements}
        </h2>
        {requirements.length === 0 && <p class="quiet">{words.form.noRequirement}</p>}
        {requirements.map((requirement, at) => (
          <RequirementForm
            key={nameRequirement(requirement, at)}
            requirement={requirement}
            at={at}
            catalog={catalog}
            findings={findings}
            guestsOf={isNew ? '' : gateId}
            onChange={(next) => set({ requirements: replaceAt(requirements, at, next) })}
            onRemove={() => removeRequirement(at)}
          />
        ))}
        <p>
          <button type="button" class="button secondary small" onClick={addRequirement}>
            {words.form.addRequirement}
          </button>
        </p>
        <RuleForm definition={definition} onChange={(rule) => set({ rule })} />
        {findings
          .filter(({ path }) => path === 'rule' || path.startsWith('rule.'))
          .map((finding) => (
            <p key={finding.path} class="hint wrong">
              {words.form.ruleFault(writeFinding(finding))}
            </p>
          ))}
      </section>
      <section class="gate-part" aria-labelledby="form-price">
        <h2 class="bench-title" id="form-price">
          {words.fields.price}
        </h2>
        <PriceForm
          price={price}
          rewards={rewards}
          ways={catalog.ways}
          findings={findings}
          onChange={(next) => set({ price: next })}
        />
      </section>
      <section class="gate-part" aria-labelledby="form-reward">
        <h2 class="bench-title" id="form-reward">
          {words.fields.rewards}
        </h2>
        {rewards.length === 0 && <p class="quiet">{words.form.noReward}</p>}
        {rewards.map((reward, at) => (
          <RewardForm
            key={at}
            reward={reward}
            at={at}
            findings={findings}
            onChange={(next) => setRewards(replaceAt(rewards, at, next))}
            onRemove={() => setRewards(removeAt(rewards, at))}
          />
        ))}
        <p>
          <button
            type="button"
            class="button secondary small"
            onClick={() => setRewards([...rewards, { kind: 'reveal', value: '' }])}
          >
            {words.form.addReward}
          </button>
        </p>
      </section>
      <section class="gate-part" aria-labelledby="form-limits">
        <h2 class="bench-title" id="form-limits">
          {words.form.limits}
        </h2>
        <LimitsForm definition={definition} findings={findings} onChange={onChange} />
      </section>
    </div>
  )
}

/** An id from a name, until one is typed: what is no letter or digit here becomes a hyphen. */
const suggestId = (name: string): string =>
  name
    // Only the beginning becomes the id, and normalization of a long run of marks would freeze the page.
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, 80)
