/** What is done to a page before it is photographed: the rest of the capture sees this file only. */
export { preparePage, untouched, type ChosenScenario, type Preparation, type PreparedPage } from './prepare-page.ts'
export { warningsOfPreparation } from './warnings-of-preparation.ts'
export {
  chooseScenario,
  fillScenario,
  loadScenarios,
  readScenarioFile,
  reviveScenario,
  ScenarioRefused,
  type LoadedScenario,
  type ScenarioChoice,
} from './load-scenarios.ts'
export { scenarioRoutes } from './routes.ts'
