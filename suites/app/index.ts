/** Everything that an app is judged by, in the order of the report. The last suites look back at all the traffic before them. */
import type { IntegratorSuite } from '../../harness/integrator/check.ts';
import { withSources } from '../source.ts';
import { checks as attempts } from './attempts.ts';
import { checks as calls } from './calls.ts';
import { checks as hashing } from './hash/accepted.ts';
import { checks as authenticity } from './hash/forged.ts';
import { checks as refusalPage } from './hash/refusal-page.ts';
import { checks as failures } from './install/failures.ts';
import { checks as languages } from './install/languages.ts';
import { checks as otherSite } from './install/other-site.ts';
import { checks as install } from './install/sequence.ts';
import { checks as websites } from './install/websites.ts';
import { checks as oneUser } from './installations/one-user.ts';
import { checks as ownSettings } from './installations/own-settings.ts';
import { checks as installations } from './installations/separate.ts';
import { checks as simultaneous } from './installations/simultaneous.ts';
import { checks as leaks } from './leaks.ts';
import { checks as icon } from './manifest/icon.ts';
import { checks as manifest } from './manifest/manifest.ts';
import { checks as pages } from './pages.ts';
import type { AppContext } from './session.ts';
import { checks as settings } from './settings.ts';

export const APP_SUITES = withSources<IntegratorSuite<AppContext>>([
  { name: 'app/manifest', checks: [...manifest, ...icon] },
  { name: 'app/install', checks: [...install, ...languages, ...websites, ...otherSite] },
  { name: 'app/settings', checks: settings },
  { name: 'app/pages', checks: pages },
  { name: 'app/hash', checks: [...hashing, ...authenticity, ...refusalPage] },
  { name: 'app/installations', checks: [...installations, ...ownSettings, ...simultaneous, ...oneUser] },
  { name: 'app/failures', checks: failures },
]);

/** What can only be said when everything else has happened. */
export const APP_SUITES_AFTER = withSources<IntegratorSuite<AppContext>>([
  { name: 'app/calls', checks: calls },
  { name: 'app/leaks', checks: leaks },
  { name: 'app/attempts', checks: attempts },
]);

export const APP_CHECKS = [...APP_SUITES, ...APP_SUITES_AFTER].flatMap(({ checks }) => checks);
