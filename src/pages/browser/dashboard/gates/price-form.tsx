/** The form for the price of a gate and its payment methods. */
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
import { findFault } from './preview.ts'

/** An example of how an operator sets up a way to pay. */
const setup = paymentMethods.find((method) => method.setup)?.setup

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
        label="It costs something"
        hint="Paid once by each who passes, to you and not through this server."
        checked={price !== undefined}
        onChange={(isPaid) =>
          onChange(
            isPaid ? { amountUsd: '5', ...offerEveryWay(ways), rewardAfter: chooseUsualMoment(rewards) } : undefined,
          )
        }
      />
      {ways.length === 0 && price && (
        <div class="notice warning">
          <p>
            This server takes no payments yet, so nobody could pass. Its operator sets up one of the ways in the
            configuration{setup && `, ${setup.named} for example,`} and starts it again:
          </p>
          {setup && <Command text={setup.lines} />}
        </div>
      )}
      {price && (
        <>
          <TextField
            label="Price in US dollars"
            value={price.amountUsd}
            maxLength={14}
            code
            error={findFault(findings, 'price.amountUsd')}
            onChange={(amountUsd) => set({ amountUsd: amountUsd.trim().replace(',', '.') })}
          />
          {ways.length > 0 && (
            <fieldset>
              <legend>Ways to pay</legend>
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
              {findFault(findings, 'price.methods') && <p class="hint wrong">Choose at least one way to pay.</p>}
              {findings
                .filter(({ path }) => path.startsWith('price.methods['))
                .map(({ path, message }) => (
                  <p key={path} class="hint wrong">
                    {message}
                  </p>
                ))}
            </fieldset>
          )}
          {isOnChain && (
            <TextField
              label="Paid to"
              hint="Your address on the chain of the token. Look twice: what is sent there is gone."
              value={price.recipient ?? ''}
              maxLength={42}
              code
              error={findFault(findings, 'price.recipient')}
              onChange={(recipient) => set({ recipient: recipient.trim() || undefined })}
            />
          )}
          {isOnChain && (
            <SelectField
              label="When they get it, paid on a chain"
              hint={
                chooseUsualMoment(rewards) === 'final'
                  ? 'What you hand out cannot be taken back, and a chain may take a payment back until it is final.'
                  : 'A chain may take a payment back until it is final. What it paid for is suspended then.'
              }
              value={price.rewardAfter ?? ''}
              options={[
                ...(price.rewardAfter === undefined
                  ? [['', 'Not chosen: when the payment is confirmed'] as const]
                  : []),
                ['first_block', 'With the first block'],
                ['confirmations', 'When the payment is confirmed'],
                ['final', 'When the chain calls the payment final, mostly within half an hour'],
              ]}
              onChange={(moment) => set({ rewardAfter: (moment || undefined) as RewardMoment | undefined })}
            />
          )}
          <details>
            <summary>More about the price</summary>
            <div class="details-body">
              <TextField
                label="What the payment is for"
                optional
                maxLength={200}
                value={price.label ?? ''}
                error={findFault(findings, 'price.label')}
                onChange={(label) => set({ label: label || undefined })}
              />
              <SelectField
                label="What is asked for first"
                value={price.executionOrder ?? 'verifyThenCharge'}
                options={[
                  ['verifyThenCharge', 'The proofs, then the payment'],
                  ['chargeThenVerify', 'The payment, then the proofs'],
                ]}
                onChange={(order) =>
                  set({ executionOrder: order === 'chargeThenVerify' ? 'chargeThenVerify' : undefined })
                }
              />
              {checkoutMethod && (
                <NumberField
                  label="Refund that takes the reward back, in percent"
                  optional
                  hint={`100 unless given: a refund of a part leaves the reward. Counts ${checkoutMethod.label.toLowerCase()} payments.`}
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
