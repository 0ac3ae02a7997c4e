// The embedded service by itself, with a method and its points; prints what the load needs to know.
import { startMock } from '../../mock/index.ts';

const service = await startMock();
const { apiKey } = service.profile.delivery.private;
console.log(`listening on ${new URL(service.origin).port} ${apiKey}`);
