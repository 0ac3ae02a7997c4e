/** Looking at addresses of integrators, as a service does that wants to know whether there is anything. */
import http from 'node:http';
import https from 'node:https';

/** Whether a page or file can be fetched. The certificate of an integrator on this machine is its own. */
export const isThere = (address: string, method: 'GET' | 'HEAD' = 'GET'): Promise<boolean> =>
  new Promise((resolve) => {
    const { protocol, hostname } = new URL(address);
    const rejectUnauthorized = hostname !== '127.0.0.1' && hostname !== 'localhost';
    const { request } = protocol === 'https:' ? https : http;
    request(address, { method, rejectUnauthorized }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
