import { Heading } from '../parts.tsx'

export const Builder = () => <Heading title="A gate" />
