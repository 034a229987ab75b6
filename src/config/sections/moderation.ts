/** [moderation]: Who judges content for ai-content-moderation. */
import { Type } from '@sinclair/typebox'
import { isEndpoint, keyForm } from '../address.ts'
import { oneOf, table, text } from '../setting.ts'

const address = { expected: 'an http(s) address', accepts: isEndpoint }

export const moderation = table({
  text: oneOf(['embedded', 'openai', 'none'], {
    description:
      'Who judges text when a request names nobody. embedded: a word list inside the executable, which a request may name only when it is chosen here.',
    consequence: 'A word list knows words, not meaning. With openai the text leaves this machine.',
    default: 'embedded',
    example: 'openai',
  }),
  image: oneOf(['none', 'openai', 'google-vision'], {
    description: 'Who judges images when a request names nobody.',
    consequence: 'Images leave this machine. Raise limits.body_bytes, or only small ones get in.',
    default: 'none',
    example: 'google-vision',
  }),
  openai: table({
    url: text({
      description: 'Base address of an endpoint with POST /moderations as OpenAI has it.',
      consequence: 'Content is sent there.',
      default: 'https://api.openai.com/v1',
      example: 'http://127.0.0.1:8080/v1',
      ...address,
    }),
    api_key: Type.Optional(
      text({
        description: 'Key of that endpoint.',
        consequence: 'Each judgement is a call on the account of this key.',
        whenEmpty: 'calls carry no key',
        secret: true,
        example: '<key>',
        ...keyForm,
      }),
    ),
    model: text({
      description: 'Model that judges.',
      consequence: 'Another model judges by other categories.',
      default: 'omni-moderation-latest',
      example: 'omni-moderation-latest',
    }),
  }),
  google_vision: table({
    url: text({
      description: 'Base address of Google Cloud Vision.',
      consequence: 'Images are sent there.',
      default: 'https://vision.googleapis.com',
      example: 'https://vision.googleapis.com',
      ...address,
    }),
    api_key: Type.Optional(
      text({
        description: 'Key of Google Cloud Vision.',
        consequence: 'Each judgement is a call on the account of this key.',
        whenEmpty: 'Google Cloud Vision is not offered',
        secret: true,
        example: '<key>',
        ...keyForm,
      }),
    ),
  }),
})
