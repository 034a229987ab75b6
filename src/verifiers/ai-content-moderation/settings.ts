/** [moderation]: the providers that judge content for ai-content-moderation. */
import { Type } from '@sinclair/typebox'
import { isEndpoint, keyForm } from '../../config/address.ts'
import { describeChoice, describeTable, describeText, list } from '../../config/setting.ts'
import { moderationProviderNames } from '../../outside/moderation/moderation.ts'
import { describePanelPolicy, makeJudgesCheck } from '../panel-policy.ts'
import { defineVerifierTable } from '../verifier-table.ts'

const address = { expected: 'an http(s) address', accepts: isEndpoint }

export const moderationTable = defineVerifierTable({
  name: 'moderation',
  schema: describeTable(
    {
      text_providers: Type.Optional(
        list(describeChoice(['embedded', 'openai']), {
          description:
            'Who judges text, in this order. embedded: a word list inside the executable. An empty list: nobody does.',
          consequence: 'A word list knows words, not meaning. With openai the text leaves this machine.',
          whenEmpty: 'embedded alone, or the one of text',
          example: ['embedded', 'openai'],
          maxItems: 2,
        }),
      ),
      image_providers: Type.Optional(
        list(describeChoice(['openai', 'google-vision']), {
          description: 'Who judges images, in this order. An empty list: nobody does.',
          consequence: 'Images leave this machine. Raise limits.body_bytes, or only small ones get in.',
          whenEmpty: 'nobody, or the one of image',
          example: ['openai', 'google-vision'],
          maxItems: 2,
        }),
      ),
      policy: describePanelPolicy('content', 'harmful'),
      selectable: list(describeChoice(moderationProviderNames), {
        description:
          'Providers that a request may choose in place of those above, by data.provider, for what they judge.',
        consequence:
          'Whoever makes a proof chooses the judge among them; the proof says so (chosenByCaller), and gates can ask for a provider.',
        default: [],
        example: ['openai'],
        maxItems: 3,
      }),
      text: Type.Optional(
        describeChoice(['embedded', 'openai', 'none'], {
          description: 'The older way to name one provider for text. text_providers takes its place.',
          consequence: 'The same as text_providers with this one in it. Both at once are refused.',
          whenEmpty: 'see text_providers',
          example: 'openai',
        }),
      ),
      image: Type.Optional(
        describeChoice(['none', 'openai', 'google-vision'], {
          description: 'The older way to name one provider for images. image_providers takes its place.',
          consequence: 'The same as image_providers with this one in it. Both at once are refused.',
          whenEmpty: 'see image_providers',
          example: 'google-vision',
        }),
      ),
      openai: describeTable({
        url: describeText({
          description: 'Base address of an endpoint with POST /moderations as OpenAI has it.',
          consequence: 'Content is sent there.',
          default: 'https://api.openai.com/v1',
          example: 'http://127.0.0.1:8080/v1',
          ...address,
        }),
        api_key: Type.Optional(
          describeText({
            description: 'Key of that endpoint.',
            consequence: 'Each judgment is a call on the account of this key.',
            whenEmpty: 'calls carry no key',
            secret: true,
            example: '<key>',
            ...keyForm,
          }),
        ),
        model: describeText({
          description: 'Model that judges.',
          consequence: 'Another model judges by other categories.',
          default: 'omni-moderation-latest',
          example: 'omni-moderation-latest',
        }),
      }),
      google_vision: describeTable({
        url: describeText({
          description: 'Base address of Google Cloud Vision.',
          consequence: 'Images are sent there.',
          default: 'https://vision.googleapis.com',
          example: 'https://vision.googleapis.com',
          ...address,
        }),
        api_key: Type.Optional(
          describeText({
            description: 'Key of Google Cloud Vision.',
            consequence: 'Each judgment is a call on the account of this key.',
            whenEmpty: 'Google Cloud Vision is not offered',
            secret: true,
            example: '<key>',
            ...keyForm,
          }),
        ),
      }),
    },
    {
      findContradictions: makeJudgesCheck('moderation', [
        ['text_providers', 'text'],
        ['image_providers', 'image'],
      ]),
    },
  ),
  advise({ image, imageProviders, googleVision }) {
    const [setting, names] =
      imageProviders === undefined ? ['image', 'is "google-vision"'] : ['image_providers', 'names google-vision']
    return (imageProviders ?? [image]).includes('google-vision') && googleVision.apiKey === undefined
      ? [
          {
            setting: `moderation.${setting}`,
            says: `moderation.${setting} ${names}, which needs moderation.google_vision.api_key: no image is judged`,
          },
        ]
      : []
  },
})
