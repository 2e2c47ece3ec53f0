import { describeGeneralStateTests } from './general-state-tests.js'

describeGeneralStateTests(3, 4)
