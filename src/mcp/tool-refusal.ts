/**
 * A refusal whose message is for the model, with what to do next: `next_action` is a word for programs, `nextSteps` are
 * sentences.
 */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'

  constructor(
    readonly code: string,
    message: string,
    readonly next: { readonly action: string; readonly steps: readonly string[] },
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}
