/** The form for the price of a gate and its payment methods. */
import { gateForm as words } from '../../../words/en/gate-form.ts'
import { Command } from '../parts.tsx'
import { findMethod, isPaidOnChain, paymentMethods } from '../payment-methods.ts'
import { findOwnWallet, offerEveryWay, type Way } from './catalog.ts'
import {
  changeMembers,
  chooseUsualMoment,
  type Finding,
  type Price,
  type Reward,
  type RewardMoment,
} from './definition.ts'
import { NumberField, SelectField, TextField, Tick } from './fields.tsx'
import { writeFinding } from './finding-words.ts'
import { findFault } from './preview.ts'

/** An example of how an operator sets up a way to pay. */
const setup = paymentMethods.find((method) => method.setup)?.setup

/** `4,99` is 4.99. Of `1,000` nobody can tell, so it stays, and the server refuses it. */
const readDecimalComma = (amount: string): string => amount.replace(/^(\d+),(\d{1,2})$/, '$1.$2')

export function PriceForm({
  price,
  ways,
  findings,
  rewards,
  onChange,
}: {
  readonly price: Price | undefined
  readonly rewards: readonly Reward[]
  readonly ways: readonly Way[]
  readonly findings: readonly Finding[]
  onChange(price: Price | undefined): void
}) {
  const set = (changes: Partial<{ [Name in keyof Price]: Price[Name] | undefined }>) =>
    price && onChange(changeMembers(price, changes))
  const isOnChain = price?.methods.some(isPaidOnChain) ?? false
  const checkoutMethod = price?.methods.map(findMethod).find((method) => method?.opensCheckout)

  return (
    <>
      <Tick
        label={words.prices.has}
        hint={words.prices.hasHint}
        checked={price !== undefined}
        onChange={(isPaid) =>
          onChange(
            isPaid ? { amountUsd: '5', ...offerEveryWay(ways), rewardAfter: chooseUsualMoment(rewards) } : undefined,
          )
        }
      />
      {ways.length === 0 && price && (
        <div class="notice warning">
          <p>{words.prices.noWays(setup?.named)}</p>
          {setup && <Command text={setup.lines} />}
        </div>
      )}
      {price && (
        <>
          <TextField
            label={words.fields['price.amountUsd']}
            value={price.amountUsd}
            maxLength={14}
            code
            error={findFault(findings, 'price.amountUsd')}
            onChange={(amountUsd) => set({ amountUsd: amountUsd.trim() })}
            onLeave={() => set({ amountUsd: readDecimalComma(price.amountUsd) })}
          />
          {ways.length > 0 && (
            <fieldset>
              <legend>{words.fields['price.methods']}</legend>
              {ways.map(({ method, label }) => (
                <Tick
                  key={method}
                  label={label}
                  checked={price.methods.includes(method)}
                  onChange={(isOn) =>
                    set({
                      methods: ways
                        .map((one) => one.method)
                        .filter((one) => (one === method ? isOn : price.methods.includes(one))),
                      ...(isOn && isPaidOnChain(method) && !price.recipient ? { recipient: findOwnWallet() } : {}),
                    })
                  }
                />
              ))}
              {findFault(findings, 'price.methods') && <p class="hint wrong">{words.prices.choose}</p>}
              {findings
                .filter(({ path }) => path.startsWith('price.methods['))
                .map((finding) => (
                  <p key={finding.path} class="hint wrong">
                    {writeFinding(finding)}
                  </p>
                ))}
            </fieldset>
          )}
          {isOnChain && (
            <TextField
              label={words.fields['price.recipient']}
              hint={words.prices.recipientHint}
              value={price.recipient ?? ''}
              maxLength={42}
              code
              error={findFault(findings, 'price.recipient')}
              onChange={(recipient) => set({ recipient: recipient.trim() || undefined })}
            />
          )}
          {isOnChain && (
            <SelectField
              label={words.fields['price.rewardAfter']}
              hint={chooseUsualMoment(rewards) === 'final' ? words.prices.momentFinal : words.prices.momentUsual}
              value={price.rewardAfter ?? ''}
              options={[
                ...(price.rewardAfter === undefined ? [['', words.prices.notChosen] as const] : []),
                ['first_block', words.prices.firstBlock],
                ['confirmations', words.prices.confirmed],
                ['final', words.prices.final],
              ]}
              onChange={(moment) => set({ rewardAfter: (moment || undefined) as RewardMoment | undefined })}
            />
          )}
          <details open={typeof price.refundThresholdPercent === 'string' || undefined}>
            <summary>{words.prices.more}</summary>
            <div class="details-body">
              <TextField
                label={words.fields['price.label']}
                optional
                maxLength={200}
                value={price.label ?? ''}
                error={findFault(findings, 'price.label')}
                onChange={(label) => set({ label: label || undefined })}
              />
              <SelectField
                label={words.fields['price.executionOrder']}
                value={price.executionOrder ?? 'verifyThenCharge'}
                options={[
                  ['verifyThenCharge', words.prices.proofsFirst],
                  ['chargeThenVerify', words.prices.paymentFirst],
                ]}
                onChange={(order) =>
                  set({ executionOrder: order === 'chargeThenVerify' ? 'chargeThenVerify' : undefined })
                }
              />
              {checkoutMethod && (
                <NumberField
                  label={words.fields['price.refundThresholdPercent']}
                  optional
                  hint={words.prices.refundHint(checkoutMethod.label)}
                  value={price.refundThresholdPercent}
                  error={findFault(findings, 'price.refundThresholdPercent')}
                  onChange={(percent) => set({ refundThresholdPercent: percent })}
                />
              )}
            </div>
          </details>
        </>
      )}
    </>
  )
}
