/** The English words of ai-content-moderation. */
import { describeJudges } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Content check',
  lead: 'Check a text or a picture for harmful content.',
  says: 'This wallet had this content checked, and nothing harmful was found.',
  lacks: {
    what: 'It needs a service that judges content.',
    remedy: 'Set moderation.text_providers or moderation.image_providers.',
  },
  statement: ['had the content {~contentHash} checked as harmless'],
  summary: ['Content {~contentHash}'],
  fields: [
    {
      label: 'Checked by',
      path: 'provider',
      op: 'eq',
      hint: 'Such as openai. Leave empty for every provider of this server.',
    },
  ],
  requirement: (criteria) => `has content that was judged harmless${describeJudges(criteria)}`,
  names: {
    model: 'Model',
    safe: 'Harmless',
    categories: 'Found by kind',
    scores: 'Scores',
    chosenByCaller: 'Provider chosen by the maker',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Check it now',
  text: 'Text',
  image: 'Or a picture',
  imageHint: 'JPEG, PNG, WebP or GIF, at most 300 kB.',
  both: 'Enter a text or choose a picture, not both.',
  nothing: 'Enter a text or choose a picture to check.',
  tooLarge: 'The picture is larger than 300 kB.',
  wrongType: 'The picture must be JPEG, PNG, WebP or GIF.',
}
