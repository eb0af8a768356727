import { z } from 'zod'

const probe = z.strictObject({
  httpGet: z.strictObject({
    path: z.enum(['/healthz', '/readyz']),
    port: z.enum(['http', 'guard']),
    scheme: z.literal('HTTPS').optional(),
  }),
  periodSeconds: z.number().int(),
  timeoutSeconds: z.number().int(),
  failureThreshold: z.number().int(),
})

/**
 * A StatefulSet and the manifests beside it, as strict as the cluster or stricter: what it would refuse or, worse, silently leave
 * out. `name` is that of all of them, and of the namespace.
 */
export function manifestSchemas<const Name extends string>(name: Name) {
  const labels = z.strictObject({ 'app.kubernetes.io/name': z.literal(name) })
  const metadata = z.strictObject({ name: z.literal(name), labels })
  const matching = z.strictObject({ matchLabels: labels })
  const spread = z.strictObject({
    maxSkew: z.literal(1),
    topologyKey: z.string(),
    whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
    labelSelector: matching,
  })
  const apart = z.strictObject({
    podAntiAffinity: z.strictObject({
      preferredDuringSchedulingIgnoredDuringExecution: z.tuple([
        z.strictObject({
          weight: z.literal(100),
          podAffinityTerm: z.strictObject({
            topologyKey: z.string(),
            labelSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
          }),
        }),
      ]),
    }),
  })
  const fromField = z.strictObject({
    name: z.string(),
    valueFrom: z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.string() }) }),
  })
  const stateful = z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('StatefulSet'),
    metadata,
    spec: z.strictObject({
      replicas: z.number().int(),
      serviceName: z.string(),
      podManagementPolicy: z.literal('Parallel').optional(),
      minReadySeconds: z.number().int().optional(),
      selector: matching,
      template: z.strictObject({
        metadata: z.strictObject({ labels }),
        spec: z.strictObject({
          serviceAccountName: z.string(),
          automountServiceAccountToken: z.literal(false),
          enableServiceLinks: z.literal(false),
          terminationGracePeriodSeconds: z.number().int(),
          topologySpreadConstraints: z.tuple([spread]).optional(),
          affinity: apart.optional(),
          securityContext: z.strictObject({
            runAsNonRoot: z.literal(true),
            runAsUser: z.literal(1000),
            runAsGroup: z.literal(1000),
            fsGroup: z.literal(1000),
            fsGroupChangePolicy: z.literal('OnRootMismatch'),
            seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
          }),
          containers: z.tuple([
            z.strictObject({
              name: z.literal('mizani'),
              image: z.string(),
              imagePullPolicy: z.literal('IfNotPresent'),
              args: z.array(z.string()),
              env: z.array(fromField).optional(),
              ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number().int() })),
              securityContext: z.strictObject({
                allowPrivilegeEscalation: z.literal(false),
                readOnlyRootFilesystem: z.literal(true),
                capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
              }),
              resources: z.strictObject({
                requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
                limits: z.strictObject({ memory: z.string() }),
              }),
              startupProbe: probe,
              livenessProbe: probe,
              readinessProbe: probe,
              volumeMounts: z.array(
                z.strictObject({
                  name: z.string(),
                  mountPath: z.string(),
                  readOnly: z.literal(true).optional(),
                }),
              ),
            }),
          ]),
          volumes: z.array(
            z.union([
              z.strictObject({ name: z.string(), configMap: z.strictObject({ name: z.string() }) }),
              z.strictObject({
                name: z.string(),
                secret: z.strictObject({ secretName: z.string(), defaultMode: z.literal(0o440) }),
              }),
            ]),
          ),
        }),
      }),
      persistentVolumeClaimRetentionPolicy: z.strictObject({
        whenDeleted: z.literal('Retain'),
        whenScaled: z.literal('Retain'),
      }),
      volumeClaimTemplates: z.tuple([
        z.strictObject({
          metadata: z.strictObject({ name: z.string() }),
          spec: z.strictObject({
            accessModes: z.tuple([z.literal('ReadWriteOncePod')]),
            resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
          }),
        }),
      ]),
    }),
  })
  const service = z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata,
    spec: z.strictObject({
      clusterIP: z.literal('None'),
      publishNotReadyAddresses: z.literal(true),
      selector: labels,
      ports: z.tuple([z.strictObject({ name: z.string(), port: z.number(), targetPort: z.string() })]),
    }),
  })
  const peer = z.strictObject({
    podSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
    namespaceSelector: z
      .strictObject({ matchLabels: z.record(z.string(), z.string()).optional() })
      .optional(),
    ipBlock: z.strictObject({ cidr: z.cidrv4(), except: z.array(z.cidrv4()) }).optional(),
  })
  const ports = z.array(
    z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.union([z.string(), z.number().int()]) }),
  )
  const policy = z.strictObject({
    apiVersion: z.literal('networking.k8s.io/v1'),
    kind: z.literal('NetworkPolicy'),
    metadata,
    spec: z.strictObject({
      podSelector: matching,
      policyTypes: z.tuple([z.literal('Ingress'), z.literal('Egress')]),
      ingress: z.array(z.strictObject({ from: z.array(peer).min(1), ports })),
      egress: z.array(z.strictObject({ to: z.array(peer).min(1), ports })),
    }),
  })
  const budget = z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.literal('PodDisruptionBudget'),
    metadata,
    spec: z.strictObject({ selector: matching, maxUnavailable: z.union([z.literal(0), z.literal(1)]) }),
  })
  const monitor = z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.literal('ServiceMonitor'),
    metadata,
    spec: z.strictObject({
      selector: matching,
      endpoints: z.tuple([
        z.strictObject({
          port: z.string(),
          path: z.literal('/metrics'),
          interval: z.string(),
          scrapeTimeout: z.string(),
          authorization: z.strictObject({
            type: z.literal('Bearer'),
            credentials: z.strictObject({ name: z.string(), key: z.string() }),
          }),
        }),
      ]),
    }),
  })
  const account = z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('ServiceAccount'),
    metadata,
    automountServiceAccountToken: z.literal(false),
  })
  const namespace = z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Namespace'),
    metadata: z.strictObject({
      name: z.literal(name),
      labels: z.strictObject({
        'pod-security.kubernetes.io/enforce': z.literal('restricted'),
        'pod-security.kubernetes.io/warn': z.literal('restricted'),
      }),
    }),
  })
  /** No labels, patches or transformers: what is in the files is what the cluster gets. */
  const kustomization = z.strictObject({
    apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
    kind: z.literal('Kustomization'),
    namespace: z.literal(name),
    resources: z.array(z.string()),
    configMapGenerator: z.array(
      z.strictObject({
        name: z.string(),
        files: z.array(z.string()),
        options: z.strictObject({ disableNameSuffixHash: z.literal(true) }),
      }),
    ),
    images: z.tuple([z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })]),
  })
  return { stateful, service, policy, budget, monitor, account, namespace, kustomization }
}
