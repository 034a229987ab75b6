/** The objects of Stripe with every member that its published types promise, as a new account would have them. */
import type Stripe from 'stripe'

type Intent = Stripe.PaymentIntent & { latest_charge: Stripe.Charge | null }

const metadataIn = (params: URLSearchParams, prefix: string): Record<string, string> =>
  Object.fromEntries(
    [...params].flatMap(([name, value]) => {
      const key = name.startsWith(`${prefix}[`) ? name.slice(prefix.length + 1, -1) : undefined
      return key === undefined ? [] : [[key, value]]
    }),
  )

/** `created` in Unix seconds. */
export function makeCheckoutSession(
  params: URLSearchParams,
  { id, created }: { readonly id: string; readonly created: number },
): Stripe.Checkout.Session {
  const amount =
    Number(params.get('line_items[0][price_data][unit_amount]')) * Number(params.get('line_items[0][quantity]'))
  return {
    id,
    object: 'checkout.session',
    // An account may have it switched on for sessions that do not say.
    adaptive_pricing: { enabled: params.get('adaptive_pricing[enabled]') !== 'false' },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: ['card'],
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.get('cancel_url'),
    client_reference_id: params.get('client_reference_id'),
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: params.get('line_items[0][price_data][currency]'),
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: Number(params.get('expires_at') ?? created + 86_400),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: metadataIn(params, 'metadata'),
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.get('success_url'),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `https://checkout.stripe.com/c/pay/${id}`,
    wallet_options: null,
  }
}

export function makeCharge(
  { amount_total, currency, livemode, metadata }: Stripe.Checkout.Session,
  { id, intent, created }: { readonly id: string; readonly intent: string; readonly created: number },
): Stripe.Charge {
  const amount = amount_total ?? 0
  return {
    id,
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: 'buyer@example.com', name: 'A Buyer', phone: null, tax_id: null },
    calculated_statement_descriptor: 'SELLER',
    captured: true,
    created,
    currency: currency ?? '',
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode,
    metadata: metadata ?? {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intent,
    payment_method: 'pm_1',
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

export function makePaymentIntent({ livemode }: Stripe.Checkout.Session, charge: Stripe.Charge): Intent {
  const { amount, created, currency, metadata } = charge
  return {
    id: String(charge.payment_intent),
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_received: amount,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: null,
    confirmation_method: 'automatic',
    created,
    currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: charge,
    livemode,
    managed_payments: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: 'pm_1',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_group: null,
  }
}

/** `created` in Unix seconds. */
export const makeRefund = (
  charge: Stripe.Charge,
  {
    id,
    created,
    amount,
    status,
  }: { readonly id: string; readonly created: number; readonly amount: number; readonly status: string },
): Stripe.Refund => ({
  id,
  object: 'refund',
  amount,
  balance_transaction: null,
  charge: charge.id,
  created,
  currency: charge.currency,
  customer: null,
  customer_account: null,
  ...(status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
  metadata: {},
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  reason: null,
  receipt_number: null,
  source_transfer_reversal: null,
  status,
  transfer_reversal: null,
})

/** The members of a dispute, without the evidence, which no code here reads. */
export const makeDispute = (
  charge: Stripe.Charge,
  { id, created }: { readonly id: string; readonly created: number },
): Pick<
  Stripe.Dispute,
  | 'id'
  | 'object'
  | 'amount'
  | 'charge'
  | 'created'
  | 'currency'
  | 'is_charge_refundable'
  | 'livemode'
  | 'metadata'
  | 'payment_intent'
  | 'reason'
  | 'status'
> => ({
  id,
  object: 'dispute',
  amount: charge.amount,
  charge: charge.id,
  created,
  currency: charge.currency,
  is_charge_refundable: false,
  livemode: charge.livemode,
  metadata: {},
  payment_intent: charge.payment_intent,
  reason: 'fraudulent',
  status: 'needs_response',
})
