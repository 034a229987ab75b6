import { Heading } from '../parts.tsx'

export const Numbers = () => <Heading title="Numbers" />
